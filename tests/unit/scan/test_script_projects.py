"""Projects of PHP, Ruby and Lua, from manifests that are read and never run."""

from __future__ import annotations

from pathlib import Path

from codeagentd.pipeline.rows.module_naming.php import php
from codeagentd.scan.projects.detection import Projects, detect


def projects_of(root: Path, files: dict[str, str]) -> Projects:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Projects(detect(root, files))


def test_a_composer_file_says_where_classes_are(tmp_path: Path) -> None:
    text = '{"name": "house/shelf", "autoload": {"psr-4": {"House\\\\": ["src", "lib/"]}}, "autoload-dev": {"psr-4": {"House\\\\Tests\\\\": "tests/"}}}'
    project = projects_of(tmp_path, {"packages/shelf/composer.json": text}).project_of(
        "packages/shelf/src/A.php", "php"
    )
    assert (project.key, project.root) == ("php:house/shelf", "packages/shelf")
    assert project.entries == (
        ("House\\", ("packages/shelf/src", "packages/shelf/lib")),
        ("House\\Tests\\", ("packages/shelf/tests",)),
    )
    assert php("packages/shelf/src/Deep/Book.php", project, ()).imported == "House.Deep.Book"
    assert php("packages/shelf/tests/BookTest.php", project, ()).imported == "House.Tests.BookTest"
    assert php("packages/shelf/bin/run.php", project, ()).imported == ""


def test_a_broken_composer_file_is_told_and_left_out(tmp_path: Path) -> None:
    found = projects_of(
        tmp_path,
        {
            "composer.json": "{",
            "a/composer.json": '{"name": 3}',
            "b/composer.json": '{"autoload": {"psr-4": {"X\\\\": "../../out"}}}',
        },
    )
    assert [path for path, _ in found.detected.problems] == ["a/composer.json", "composer.json"]
    assert [(project.name, project.entries) for project in found.detected.projects] == [("b", ())]


def test_a_gem_is_called_what_its_specification_says(tmp_path: Path) -> None:
    files = {
        "shelf.gemspec": 'Gem::Specification.new do |s|\n  s.name = "book-shelf"\nend\n',
        "Gemfile": "",
        "apps/desk/Gemfile": "",
        "odd/odd.gemspec": "x = 1\n",
    }
    found = projects_of(tmp_path, files)
    assert {(project.key, project.root) for project in found.detected.projects} == {
        ("ruby:book-shelf", ""),
        ("ruby:desk", "apps/desk"),
        ("ruby:odd", "odd"),
    }
    assert found.project_of("apps/desk/a.rb", "ruby").name == "desk"


def test_a_gem_knows_the_gems_of_the_repository_that_it_needs_and_those_that_they_need(tmp_path: Path) -> None:
    files = {
        "shelf/shelf.gemspec": "",
        "counter/counter.gemspec": 's.add_dependency("shelf", ">= 1")\ns.add_dependency "rack"\n  # s.add_dependency "board"\n',
        "board/board.gemspec": 's.add_runtime_dependency %q<counter>.freeze\ns.add_development_dependency "board"\n',
        "Gemfile": 'gem "board", path: "board"\ngem "none"\n',
    }
    found = projects_of(tmp_path, files)
    needed = {project.root: [name for name, _ in project.entries] for project in found.detected.projects}
    assert needed == {
        "": ["board", "counter", "shelf"],
        "board": ["counter", "shelf"],
        "counter": ["shelf"],
        "shelf": [],
    }
    assert found.project_of("counter/lib/a.rb", "ruby").entries == (("shelf", ("shelf/lib", "shelf/app")),)


def test_a_rock_is_called_what_its_specification_says(tmp_path: Path) -> None:
    found = projects_of(tmp_path, {"shelf-1.0-1.rockspec": 'package = "shelf"\nversion = "1.0-1"\n'})
    assert found.project_of("src/a.lua", "lua").key == "lua:shelf"


def test_a_rock_says_which_files_its_modules_are(tmp_path: Path) -> None:
    text = """
package = "shelf"
build = {
  type = "builtin",
  modules = {
    ["shelf.books"] = "src/books.lua", -- ["shelf.old"] = "src/old.lua",
    ['shelf.core'] = { sources = { "core.c" } },
    shelf = 'src/init.lua',
    ["shelf.out"] = "../out.lua",
  },
  install = { bin = { ["shelve"] = "bin/shelve.lua" } },
}
"""
    found = projects_of(
        tmp_path, {"shelf-1.0-1.rockspec": text, "odd/odd-1.rockspec": "build = { modules = {" + "{" * 9}
    )
    entries = {project.root: project.entries for project in found.detected.projects}
    assert entries == {"": (("shelf.books", ("src/books.lua",)), ("shelf", ("src/init.lua",))), "odd": ()}
