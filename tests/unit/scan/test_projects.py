"""Projects come from manifests, which are data: broken, huge or hostile ones cost nothing but themselves."""

from __future__ import annotations

import configparser
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codeagentd.base.limits import MAX_MANIFEST_BYTES, MAX_SETUP_LENGTH
from codeagentd.scan.projects.detection import Detected, Projects, detect, is_manifest
from codeagentd.scan.projects.manifests import from_ini


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


def lay_out(root: Path, files: dict[str, str]) -> Detected:
    """Write files and detect."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return detect(
        root, [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file() or path.is_symlink()]
    )


def keys(detected: Detected) -> list[str]:
    return [project.key for project in detected.projects]


PYPROJECT = '[project]\nname = "shelf"\n'


# -- which project a file belongs to
def test_a_file_belongs_to_the_nearest_project_of_its_language(root: Path):
    found = Projects(
        lay_out(
            root,
            {
                "pyproject.toml": PYPROJECT,
                "web/package.json": '{"name": "@shelf/web"}',
                "api/Api.csproj": "<Project/>",
                "api/web/tool.py": "",
            },
        )
    )
    assert found.project_of("api/web/tool.py", "python").key == "python:shelf"
    assert found.project_of("web/src/a.tsx", "tsx").key == "npm:@shelf/web"
    assert found.project_of("web/a.js", "javascript").key == "npm:@shelf/web"
    assert found.project_of("api/web/Deep.cs", "csharp").key == "csharp:Api"


def test_what_no_manifest_stands_above_belongs_to_the_synthetic_project(root: Path):
    found = Projects(lay_out(root, {"tools/pyproject.toml": PYPROJECT, "a.py": "", "b.ts": "", "C.cs": ""}))
    assert [
        found.project_of(path, language).root
        for path, language in (("a.py", "python"), ("b.ts", "typescript"), ("C.cs", "csharp"))
    ] == ["", "", ""]
    assert found.project_of("a.py", "python").key == "python:."
    assert found.project_of("C.cs", "csharp").key == "csharp:."
    assert found.project_of("b.ts", "typescript").key == found.project_of("b.js", "javascript").key


def test_projects_of_the_java_machine_are_named_by_maven_gradle_and_sbt(root: Path):
    files = {
        "pom.xml": "<project><parent><artifactId>all</artifactId></parent><artifactId> shop </artifactId><build><artifactId>x</artifactId></build></project>",
        "computed/pom.xml": "<project><artifactId>${name}</artifactId></project>",
        "house/settings.gradle": "rootProject.name = 'house-of-books'\n", "house/build.gradle": "plugins { }\n",
        "house/desk/build.gradle.kts": "plugins { }\n",
        "tower/build.sbt": 'lazy val root = project\n  ThisBuild / name := "tower"\n',
        "broken/pom.xml": "<project><artifactId>", "hostile/pom.xml": '<!DOCTYPE a [<!ENTITY b "c">]><project/>',
    }  # fmt: skip
    detected = lay_out(root, files)
    assert keys(detected) == ["jvm:shop", "jvm:computed", "jvm:house-of-books", "jvm:tower", "jvm:desk"]
    assert [path for path, _ in detected.problems] == ["broken/pom.xml", "hostile/pom.xml"]
    assert Projects(detected).project_of("house/desk/src/A.java", "java").name == "desk"
    assert is_manifest("a/build.gradle.kts")


def test_swift_packages_say_where_their_targets_lie(root: Path):
    manifest = """// swift-tools-version:5.9
        let package = Package(name: "shop-of-books", targets: [ // .target(name: "Gone", path: "gone"),
          .target(name: "Shelves"), .target(name: "shop-core", dependencies: [.target(name: "Shelves")], path: "Core/Code"),
          .testTarget(name: "ShopTests", dependencies: [.target(name: "Shelves", condition: .when(platforms: [.linux]))], path: "Checks"),
          .target(name: "Outside", path: "../../../outside"),
        ])"""
    detected = lay_out(root, {"Package.swift": manifest, "desk/Package.swift": "let package = make()\n"})
    assert keys(detected) == ["swift:shop-of-books", "swift:desk"]
    assert detected.projects[0].entries == (("shop_core", ("Core/Code",)), ("ShopTests", ("Checks",)))
    assert Projects(detected).project_of("desk/Sources/Desk/A.swift", "swift").name == "desk"
    assert is_manifest("a/Package.swift")


def test_projects_of_one_name_have_keys_of_their_own(root: Path):
    manifest = '{"name": "example"}'
    detected = lay_out(
        root, {"package.json": manifest, "b/package.json": manifest, "a/package.json": manifest, "c/package.json": "{}"}
    )
    assert keys(detected) == ["npm:example", "npm:example:a", "npm:example:b", "npm:c"]


def test_a_project_without_a_name_is_called_after_its_folder(root: Path):
    detected = lay_out(root, {"package.json": "{}", "lib/setup.py": "from setuptools import setup\nsetup(name=NAME)\n"})
    assert keys(detected) == ["npm:.", "python:lib"]


@pytest.mark.parametrize(
    "name",
    [
        "pyproject.toml",
        "a/setup.py",
        "setup.cfg",
        "x/package.json",
        "tsconfig.json",
        "a/tsconfig.app.json",
        "jsconfig.json",
        "My.App.csproj",
    ],
)
def test_manifests_are_known_by_name(name: str):
    assert is_manifest(name)


@pytest.mark.parametrize(
    "name", ["package-lock.json", "a.py", "tsconfig.ts", "csproj", "setup.pyc", "pyproject.toml.bak"]
)
def test_other_files_are_no_manifests(name: str):
    assert not is_manifest(name)


# -- Python
def test_a_file_that_only_configures_tools_makes_no_project(root: Path):
    assert (
        keys(
            lay_out(
                root,
                {"pyproject.toml": "[tool.ruff]\nline-length = 80\n", "setup.cfg": "[flake8]\nmax-line-length = 80\n"},
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("files", "roots"),
    [
        ({"pyproject.toml": PYPROJECT, "src/shelf/__init__.py": ""}, ("src",)),
        ({"pyproject.toml": PYPROJECT, "shelf/__init__.py": "", "src/main.c": ""}, ()),
        ({"pyproject.toml": PYPROJECT, "src/__init__.py": ""}, ()),
        ({"pyproject.toml": PYPROJECT + '[tool.setuptools.package-dir]\n"" = "lib"\n'}, ("lib",)),
        ({"pyproject.toml": PYPROJECT + '[tool.setuptools.packages.find]\nwhere = ["one", "two"]\n'}, ("one", "two")),
        (
            {
                "pyproject.toml": PYPROJECT
                + '[tool.hatch.build.targets.wheel]\npackages = ["source/shelf", "other/shelf"]\n'
            },
            ("source", "other"),
        ),
        (
            {"pyproject.toml": '[tool.poetry]\nname = "shelf"\npackages = [{include = "shelf", from = "python"}]\n'},
            ("python",),
        ),
        (
            {"pyproject.toml": '[build-system]\nrequires = []\n[tool.uv.build-backend]\nmodule-root = "code"\n'},
            ("code",),
        ),
        ({"setup.cfg": "[metadata]\nname = shelf\n[options]\npackage_dir =\n    = lib\n"}, ("lib",)),
        ({"setup.cfg": "[metadata]\nname = shelf\n[options.packages.find]\nwhere = lib\n"}, ("lib",)),
        ({"setup.py": "import setuptools\nsetuptools.setup(name='shelf', package_dir={'': 'lib'})\n"}, ("lib",)),
        (
            {"setup.py": "from setuptools import *\nsetup(name='shelf', packages=find_packages(where='lib'))\n"},
            ("lib",),
        ),
        (
            {"pyproject.toml": PYPROJECT + '[tool.setuptools.packages.find]\nwhere = ["../outside", "/tmp", "."]\n'},
            ("",),
        ),
    ],
)
def test_source_roots_are_where_the_build_looks(root: Path, files: dict[str, str], roots: tuple[str, ...]):
    (project,) = lay_out(root, files).projects
    assert project.source_roots == roots


def test_source_roots_are_seen_from_the_repository(root: Path):
    (project,) = lay_out(root, {"libs/shelf/pyproject.toml": PYPROJECT, "libs/shelf/src/shelf.py": ""}).projects
    assert (project.root, project.source_roots) == ("libs/shelf", ("libs/shelf/src",))


def test_a_module_called_setup_marks_no_project(root: Path):
    files = {
        "app/__init__.py": "", "app/setup.py": "def load(): ...\n",  # a module of the package
        "sums/__init__.py": "", "sums/setup.py": "setup(**configuration(top_path='').todict())\n",  # a part of an outer build
        "lib/__init__.py": "", "lib/setup.py": "setup(name='lib')\n",
        "own/__init__.py": "", "own/setup.py": "setup(name=NAME, package_dir={'': 'src'})\n",
        "aged/__init__.py": "", "aged/setup.py": "print 'hello'\nsetup(name='aged')\n",
        "tool/setup.py": "from setuptools import setup\nsetup()\n",
    }  # fmt: skip
    assert keys(lay_out(root, files)) == ["python:aged", "python:lib", "python:own", "python:tool"]


def test_setup_py_is_never_run(root: Path):
    detected = lay_out(
        root,
        {
            "setup.py": f"open({str(root / 'ran')!r}, 'w')\nfrom setuptools import setup\nsetup(name='a' if True else 'b')\n"
        },
    )
    assert keys(detected) == ["python:."]
    assert not (root / "ran").exists()


def test_a_setup_py_of_another_age_still_marks_a_project(root: Path):
    detected = lay_out(root, {"old/setup.py": "print 'hello'\nsetup(name='old')\n"})
    assert keys(detected) == ["python:old"]
    assert dict(detected.problems)["old/setup.py"].startswith("not Python")


# -- npm
def test_an_import_of_a_package_leads_to_its_source_before_its_build(root: Path):
    package = {
        "name": "@shelf/core",
        "main": "./dist/index.js",
        "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"}, "./x/*": "./lib/x/*.js"},
    }
    found = Projects(lay_out(root, {"packages/core/package.json": json.dumps(package)}))
    assert found.package("@shelf/core")[:2] == ("packages/core/src/index", "packages/core/dist/index.d.ts")
    assert found.package("@shelf/core/x/deep/one")[:2] == (
        "packages/core/src/x/deep/one",
        "packages/core/lib/x/deep/one.js",
    )
    assert found.package("@shelf/core/other") == ("packages/core/other", "packages/core/src/other")
    assert found.package("@shelf/none") == found.package("left-pad") == ()


def test_a_plain_main_is_where_a_package_begins(root: Path):
    found = Projects(lay_out(root, {"a/package.json": '{"name": "a", "main": "index.js", "exports": "./index.js"}'}))
    assert found.package("a") == ("a/index.js", "a/src/index", "a/index")


def test_workspaces_are_kept_as_written(root: Path):
    detected = lay_out(
        root,
        {
            "package.json": '{"name": "a", "workspaces": ["packages/*"]}',
            "b/package.json": '{"name": "b", "workspaces": {"packages": ["c"]}}',
        },
    )
    assert [project.workspaces for project in detected.projects] == [("packages/*",), ("c",)]


def test_exports_that_leave_the_repository_lead_nowhere(root: Path):
    package = (
        '{"name": "a", "main": "../../outside.js", "exports": {".": ["/etc/passwd", {"default": "C:/x.js"}, 3, null]}}'
    )
    assert Projects(lay_out(root, {"package.json": package})).package("a") == ("src/index", "index")


# -- tsconfig.json
def test_path_aliases_are_seen_from_the_repository(root: Path):
    config = '{ // comments, and\n "compilerOptions": {"baseUrl": "./src", "paths": {"@/*": ["*", "../gen/*"], "url": ["http://x/*"]},}, /* trailing commas */ }'
    found = Projects(lay_out(root, {"web/package.json": "{}", "web/tsconfig.json": config}))
    rules = found.rules_of("web/src/deep/a.ts")
    assert rules.base == "web/src"
    assert rules.paths[0] == ("@/*", ("web/src/*", "web/gen/*"))
    assert found.rules_of("other/a.ts").paths == ()


def test_what_a_configuration_extends_is_followed_inside_the_repository(root: Path):
    found = Projects(
        lay_out(
            root,
            {
                "package.json": '{"name": "top"}',
                "tsconfig.base.json": '{"compilerOptions": {"paths": {"#/*": ["lib/*"]}}}',
                "config/package.json": '{"name": "@shelf/config"}',
                "config/strict.json": '{"extends": "../tsconfig.base", "compilerOptions": {"baseUrl": "${configDir}/code"}}',
                "app/tsconfig.json": '{"extends": ["../tsconfig.base.json", "@shelf/config/strict.json", "@tsconfig/node20"]}',
                "lib/tsconfig.json": '{"extends": "../tsconfig.base.json"}',
            },
        )
    )
    assert found.rules_of("lib/a.ts").paths == (("#/*", ("lib/*",)),)
    assert found.rules_of("app/a.ts").base == "app/code"
    assert found.rules_of("app/a.ts").paths == (("#/*", ("app/code/lib/*",)),)


def test_the_configurations_beside_it_that_one_refers_to_count_as_its_own(root: Path):
    files = {
        "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "../x"}]}',
        "tsconfig.app.json": '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
    }
    assert Projects(lay_out(root, files)).rules_of("src/a.ts").paths == (("~/*", ("src/*",)),)


def test_a_circle_of_configurations_ends(root: Path):
    files = {
        "tsconfig.json": '{"extends": "./b.json"}',
        "b.json": '{"extends": ["./tsconfig.json", "./b.json"], "compilerOptions": {"baseUrl": "src"}}',
    }
    assert Projects(lay_out(root, files)).rules_of("a.ts").base == "src"


def test_configurations_lead_nowhere_outside(root: Path):
    (root.parent / "secret.json").write_text('{"compilerOptions": {"baseUrl": "stolen"}}')
    os.symlink(root.parent / "secret.json", root / "linked.json")
    files = {
        "a/tsconfig.json": '{"extends": "../../secret.json"}',
        "b/tsconfig.json": '{"extends": "../linked.json"}',
        "c/tsconfig.json": '{"compilerOptions": {"baseUrl": "../.."}}',
    }
    detected = lay_out(root, files)
    assert [rules.base for rules in detected.rules] == [None, None, None]
    assert "linked.json" in dict(detected.problems)


def test_a_configuration_alone_makes_a_project_where_no_package_stands_above(root: Path):
    detected = lay_out(
        root, {"scripts/tsconfig.json": "{}", "web/package.json": '{"name": "web"}', "web/test/tsconfig.json": "{}"}
    )
    assert keys(detected) == ["npm:scripts", "npm:web"]


# -- C#
def test_a_csproj_tells_names_and_references(root: Path):
    content = """<?xml version="1.0" encoding="utf-8"?>
    <Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><RootNamespace>Shelf.Core</RootNamespace>
    <AssemblyName>$(MSBuildProjectName)</AssemblyName></PropertyGroup>
    <ItemGroup><ProjectReference Include="..\\Lib\\Lib.csproj" />
    <ProjectReference Include="..\\..\\Outside.csproj;..\\None\\None.csproj"/></ItemGroup></Project>"""
    detected = lay_out(root, {"src/App/My.App.csproj": content, "src/Lib/Lib.csproj": "\ufeff<Project/>"})
    app, lib = detected.projects
    assert (app.key, app.root, app.namespace, app.assembly, app.references) == (
        "csharp:My.App",
        "src/App",
        "Shelf.Core",
        "My.App",
        ("src/Lib/Lib.csproj",),
    )
    assert (lib.key, lib.namespace) == ("csharp:Lib", "Lib")


def test_one_of_several_csproj_stands_for_their_folder(root: Path):
    detected = lay_out(root, {"App.csproj": "<Project/>", "App.Net20.csproj": "<Project/>"})
    assert keys(detected) == ["csharp:App"]
    assert detected.problems == (("App.Net20.csproj", "App.csproj stands for this folder"),)


def test_xml_with_a_document_type_is_refused(root: Path):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><Project><PropertyGroup><RootNamespace>&b;</RootNamespace></PropertyGroup></Project>'
    detected = lay_out(root, {"App.csproj": bomb})
    assert keys(detected) == []
    assert "document type" in dict(detected.problems)["App.csproj"]


# -- manifests that cannot be used
@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("package.json", '{"name": ', "not JSON"),
        ("package.json", "[1]", "not a JSON object"),
        ("package.json", "[" * 100_000, "not JSON"),
        ("package.json", '{"name": {"a": 1}}', "the name"),
        ("package.json", json.dumps({"name": "a" * 300}), "the name"),
        ("package.json", json.dumps({"name": "a\nb"}), "the name"),
        ("package.json", " " * (MAX_MANIFEST_BYTES + 1), "larger"),
        ("pyproject.toml", "[project\n", "not TOML"),
        ("pyproject.toml", "a = " + "[" * 50_000, "not TOML"),
        ("pyproject.toml", "a = " + "9" * 50_000, "not TOML"),
        ("pyproject.toml", "a." * 50_000 + "a = 1", "parts"),
        ("setup.cfg", "no section\n", "not INI"),
        ("tsconfig.json", '{"compilerOptions": ', "not JSON"),
        ("App.csproj", "<Project>", "not XML"),
        ("setup.py", "1" + "<1" * 100_000, "larger"),
    ],
    ids=range(15),
)
def test_a_broken_manifest_is_listed_with_its_reason(root: Path, name: str, text: str, reason: str):
    detected = lay_out(root, {name: text, "ok/package.json": '{"name": "ok"}'})
    assert reason in dict(detected.problems)[name]
    assert "npm:ok" in keys(detected)


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("tsconfig.json", '"\\'), ("tsconfig.json", "/* "), ("tsconfig.json", ',\n"'), ("setup.cfg", "[m]\n x\n"), ("setup.cfg", "=\n"),
        ("settings.gradle", "\n"), ("settings.gradle.kts", "\n"), ("build.sbt", "\n"), ("a.rockspec", "\n"), ("Package.swift", '"\\'),
        ("Package.swift", '\\"'), ("Package.swift", "/*"),
    ],
)  # fmt: skip
def test_no_manifest_takes_longer_than_its_size_allows(root: Path, name: str, piece: str):
    begun = time.thread_time()
    lay_out(root, {name: piece * (200_000 // len(piece))})
    assert time.thread_time() - begun < 2


GROWTH = """
import resource, sys
from pathlib import Path
from codeagentd.scan.projects.detection import detect
root = Path(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
detect(root, [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the unit is another")
def test_the_largest_manifests_take_little_memory(root: Path):
    for name, begin, piece, end in (
        ("a/pom.xml", "<project>", "<a>", ""), ("b/App.csproj", "<Project>", "<a>", ""), ("c/setup.py", "setup(x=[", "[],", "])"),
        ("d/package.json", '{"name": "a", "x": [', "{},", "{}]}"), ("e/go.mod", "require (\n", "a.b/c v1\n", ")\n"),
    ):  # fmt: skip
        most = MAX_SETUP_LENGTH if name == "c/setup.py" else MAX_MANIFEST_BYTES
        place = root / name
        place.parent.mkdir()
        place.write_text(begin + piece * ((most - len(begin) - len(end)) // len(piece)) + end)
    done = subprocess.run([sys.executable, "-c", GROWTH, root], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 100_000  # kB; the greediest takes 46 MB for a moment


def test_sections_are_read_as_configparser_reads_them(tmp_path: Path):
    text = "# c\n[metadata]\nName : shelf\n\n[options]\npackage_dir =\n  = lib\n\n  a = b\n; c\nempty =\n[options]\nmore=1=2\n"
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(text)
    plain = {
        name: {key: value.replace("\n\n", "\n") for key, value in parser.items(name)} for name in parser.sections()
    }
    assert from_ini(text) == plain


@pytest.mark.parametrize("value", ["3", "null", '"text"', "[[]]", '{"a": [1, {"b": null}]}'])
def test_values_of_the_wrong_type_are_passed_over(root: Path, value: str):
    package = (
        "{" + ", ".join(f'"{field}": {value}' for field in ("main", "types", "exports", "workspaces", "source")) + "}"
    )
    config = '{"extends": %s, "references": %s, "compilerOptions": {"baseUrl": %s, "paths": {"a": %s}}}' % (
        (value,) * 4
    )
    toml = '[project]\nname = "a"\n[tool]\nsetuptools = 3\npoetry = "x"\nhatch = {build = {targets = {wheel = 3}}}\n'
    detected = lay_out(root, {"package.json": package, "tsconfig.json": config, "pyproject.toml": toml})
    assert set(keys(detected)) == {"python:a", "npm:."}


def test_links_and_pipes_are_no_manifests(root: Path):
    (root.parent / "package.json").write_text('{"name": "outside"}')
    os.symlink(root.parent / "package.json", root / "package.json")
    (root / "a").mkdir()
    os.mkfifo(root / "a" / "package.json")
    detected = detect(root, ["package.json", "a/package.json", "gone/package.json", "../package.json"])
    assert keys(detected) == []
    assert set(dict(detected.problems)) == {"package.json", "a/package.json", "gone/package.json", "../package.json"}
