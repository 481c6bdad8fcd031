"""What do go.mod, go.work and Cargo.toml say about the projects of a repository?"""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.scan.projects.detection import Detected, detect, is_manifest


def lay_out(root: Path, files: dict[str, str]) -> Detected:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return detect(root, files)


def entries(detected: Detected, name: str) -> dict[str, tuple[str, ...]]:
    return dict(next(project for project in detected.projects if project.name == name).entries)


@pytest.mark.parametrize("name", ["go.mod", "a/go.work", "Cargo.toml", "crates/a/Cargo.toml"])
def test_manifests_are_known_by_name(name: str):
    assert is_manifest(name)


@pytest.mark.parametrize(
    "text",
    [
        "module x.example/m",
        'module "x.example/m"',
        "module x.example/m // a comment",
        "// first\n\ngo 1.22\nmodule x.example/m\n",
        "module (\n\tx.example/m\n)\n",
    ],
)
def test_a_module_is_called_by_its_path(tmp_path: Path, text: str):
    (project,) = lay_out(tmp_path, {"go.mod": text}).projects
    assert (project.key, project.name, project.root) == ("go:x.example/m", "x.example/m", "")


@pytest.mark.parametrize("text", ["", "go 1.22\n", "module\n", "module \x00\x01\n"])
def test_a_go_mod_without_a_module_is_a_problem(tmp_path: Path, text: str):
    detected = lay_out(tmp_path, {"go.mod": text})
    assert detected.projects == ()
    assert [path for path, _ in detected.problems] == ["go.mod"]


def test_replacements_lead_to_folders_of_the_repository(tmp_path: Path):
    text = "module a\nreplace b => ../b\nreplace (\n c v1.0.0 => ./sub/c\n d => e v1.2.3\n f => ../../outside\n)\n"
    assert entries(lay_out(tmp_path, {"a/go.mod": text}), "a") == {"b": ("b",), "c": ("a/sub/c",)}


def test_the_modules_of_a_workspace_know_each_other(tmp_path: Path):
    detected = lay_out(
        tmp_path,
        {
            "go.work": "go 1.22\nuse (\n ./a\n ./b // two\n ./gone\n)\n",
            "a/go.mod": "module x/a",
            "b/go.mod": "module x/b",
            "c/go.mod": "module x/c",
        },
    )
    assert entries(detected, "x/a") == {"x/a": ("a",), "x/b": ("b",)}
    assert entries(detected, "x/c") == {}


def test_a_package_is_a_crate_with_underscores(tmp_path: Path):
    (project,) = lay_out(tmp_path, {"Cargo.toml": '[package]\nname = "book-shop"\n'}).projects
    assert (project.key, project.namespace, project.source_roots) == ("rust:book-shop", "book_shop", ("src/lib.rs",))


def test_a_library_may_have_another_name_and_place(tmp_path: Path):
    (project,) = lay_out(
        tmp_path, {"x/Cargo.toml": '[package]\nname = "far"\n[lib]\nname = "near"\npath = "source/root.rs"\n'}
    ).projects
    assert (project.namespace, project.source_roots) == ("near", ("x/source/root.rs",))


def test_a_workspace_alone_is_no_package(tmp_path: Path):
    assert lay_out(tmp_path, {"Cargo.toml": '[workspace]\nmembers = ["*"]\n'}).projects == ()


def test_dependencies_lead_to_crates_of_the_repository(tmp_path: Path):
    app = """
        [package]
        name = "app"
        [dependencies]
        core-lib = { path = "../core" }
        renamed = { package = "core-lib", path = "../core" }
        shared = { workspace = true }
        serde = "1"
        [target.'cfg(unix)'.dev-dependencies]
        tools = { path = "../tools" }
        gone = { path = "../../outside" }
    """
    detected = lay_out(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["app"]\n[workspace.dependencies]\nshared = { path = "libs/shared" }\n',
            "app/Cargo.toml": app,
            "core/Cargo.toml": '[package]\nname = "core-lib"\n',
            "tools/Cargo.toml": '[package]\nname = "tools"\n',
            "libs/shared/Cargo.toml": '[package]\nname = "shared"\n',
        },
    )
    assert entries(detected, "app") == {
        "app": ("app/src/lib.rs",), "core_lib": ("core/src/lib.rs",), "renamed": ("core/src/lib.rs",), "shared": ("libs/shared/src/lib.rs",),
        "tools": ("tools/src/lib.rs",),
    }  # fmt: skip


@pytest.mark.parametrize("text", ["[package", "[package]\nname = 3\n", '[package]\nname = "a"\n[lib]\nname = 1\n'])
def test_a_broken_manifest_is_told_and_passed_over(tmp_path: Path, text: str):
    detected = lay_out(tmp_path, {"Cargo.toml": text})
    assert detected.projects == ()
    assert [path for path, _ in detected.problems] == ["Cargo.toml"]


@pytest.mark.parametrize(
    "text",
    [
        "[dependencies]\na = 3\nb = {}\n",
        "[target]\nx = 1\n",
        "dependencies = 1\n",
        '[lib]\npath = "../../out.rs"\n',
        "[lib]\npath = 3\n",
    ],
)
def test_odd_values_do_no_harm(tmp_path: Path, text: str):
    head = "" if text.startswith("dependencies") else '[package]\nname = "a"\n'
    tail = '[package]\nname = "a"\n' if not head else ""
    assert [project.name for project in lay_out(tmp_path, {"Cargo.toml": head + text + tail}).projects] == ["a"]
