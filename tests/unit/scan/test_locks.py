"""Versions of packages come from lock files, which are data: broken, half-saved or hostile ones say nothing and do no harm."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.base.limits import MAX_MANIFEST_BYTES
from codeagentd.scan.lockfiles.versions import LOCK_NAMES, is_lock, normalised, read_versions, versions

TABLES = """
[[package]]
name = "Ruamel.Yaml"
version = "0.18.6"

[[package]]
name = "attrs"
version = "24.2.0"
dependencies = [{ name = "six" }]

[[package]]
name = "of-the-repository"
source = { editable = "." }
"""
PIPFILE = {
    "_meta": {"requires": {"version": "3.11"}},
    "default": {"flask": {"version": "==3.0.3"}, "own": {"path": "."}},
    "develop": {"pytest": {"version": "==8.3.2"}},
}
REQUIREMENTS = """
# what the shop needs
-r more.txt
--index-url https://pypi.example/simple
Flask==3.0.3
requests [socks,security] == 2.32.3 ; python_version > "3.8"  # the web
six==1.16.0 \\
    --hash=sha256:00
attrs===24.2.0
numpy>=1.26
scipy==1.*
pandas==2.0,<3
pkg @ https://files.example/pkg-1.0.tar.gz
"""
NPM_1 = {
    "lockfileVersion": 1,
    "dependencies": {
        "lodash": {"version": "4.17.21", "dependencies": {"inner": {"version": "1.0.0"}}},
        "@types/node": {"version": "20.1.0"},
        "local": {"version": "file:packages/local"},
        "forked": {"version": "git+ssh://git@github.com/a/forked.git#abc"},
    },
}
NPM_3 = {
    "lockfileVersion": 3,
    "packages": {
        "": {"name": "shop", "version": "1.0.0"},
        "packages/cart": {"version": "0.1.0"},
        "packages/cart/node_modules/lodash": {"version": "3.10.1"},
        "node_modules/cart": {"resolved": "packages/cart", "link": True},
        "node_modules/lodash": {"version": "4.17.21"},
        "node_modules/lodash/node_modules/inner": {"version": "1.0.0"},
        "node_modules/@types/node": {"version": "20.1.0"},
    },
}
YARN_1 = """# yarn lockfile v1


"@types/node@*", "@types/node@^20.0.0":
  version "20.1.0"
  resolved "https://registry.example/node.tgz"

lodash@^4.17.21:
  version "4.17.21"
  dependencies:
    version "^1.0.0"
"""
YARN_BERRY = """__metadata:
  version: 8
  cacheKey: 10

"@types/node@npm:*, @types/node@npm:^20.0.0":
  version: 20.1.0
  resolution: "@types/node@npm:20.1.0"

? "lodash@npm:^4.0.0, lodash@npm:^4.17.21"
:
  version: 4.17.21
  languageName: node

"shop@workspace:.":
  version: 0.0.0-use.local
"""
PNPM_5 = "lockfileVersion: 5.4\n\npackages:\n\n  /lodash/4.17.21:\n    resolution: {}\n\n  /@types/node/20.1.0_react@18.2.0:\n    dev: true\n"
PNPM_6 = "importers:\n  /zzz@1.0.0:\n\npackages:\n\n  /lodash@4.17.21:\n    dev: true\n\n  /@types/node@20.1.0(react@18.2.0):\n    dev: true\n"
PNPM_9 = """packages:

  lodash@4.17.21:
    resolution: {}

  '@types/node@20.1.0':
    resolution: {}

  local@file:../x:

snapshots:

  zzz@1.0.0(a@2): {}
"""
GO = "module example.org/shop\n\nrequire golang.org/x/text v0.14.0\nrequire (\n\tgithub.com/gorilla/mux v1.8.1 // indirect\n\tbroken\n)\nreplace a => b v1.0.0\n"
GEMS = """GIT
  remote: https://git.example/forked.git
  specs:
    forked (2.0.0)

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    rails (7.1.3)
      rack (>= 2.2.4)

DEPENDENCIES
  rails (~> 7.1)
"""
COMPOSER = {
    "packages": [{"name": "Symfony/Console", "version": "v7.0.3"}],
    "packages-dev": [{"name": "phpunit/phpunit", "version": "11.0.0"}],
}
NUGET = {
    "version": 1,
    "dependencies": {
        "net8.0": {
            "Newtonsoft.Json": {"type": "Direct", "requested": "[13.0.3, )", "resolved": "13.0.3"},
            "own": {"type": "Project"},
        },
        "net9.0": {"Serilog": {"resolved": "4.0.0"}},
    },
}
CSPROJ = """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
  <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
  <PackageReference Include="Serilog" Version="[4.0.0]"><PrivateAssets>all</PrivateAssets></PackageReference>
  <PackageReference Include="Ranged" Version="[1.0,2.0)" /><PackageReference Include="Floating" Version="1.*" />
  <PackageReference Include="Computed" Version="$(Chosen)" /><PackageReference Include="Central" /><PackageReference Version="1.0" />
</ItemGroup></Project>"""
GRADLE = """# This is a Gradle generated file
com.google.guava:guava:33.0.0-jre=compileClasspath,runtimeClasspath
org.slf4j:slf4j-api:2.0.12=runtimeClasspath
empty=annotationProcessor
"""
SWIFT_1 = {
    "object": {
        "pins": [
            {
                "package": "SwiftProtobuf",
                "repositoryURL": "https://github.com/apple/swift-protobuf.git",
                "state": {"version": "1.20.3"},
            }
        ]
    },
    "version": 1,
}
SWIFT_2 = {
    "pins": [
        {"identity": "swift-protobuf", "state": {"version": "1.20.3"}},
        {"identity": "on-a-branch", "state": {"branch": "main", "version": None}},
    ],
    "version": 2,
}
ROCKSPEC = 'package = "shop"\nversion = "1.0-1"\ndependencies = {\n  "lua >= 5.1",\n  "lpeg == 1.1.0-1",\n  -- "penlight == 1.0.0",\n}\n'

PYTHON = {"ruamel-yaml": "0.18.6", "attrs": "24.2.0"}
NODE = {"lodash": "4.17.21", "@types/node": "20.1.0"}
DOTNET = {"newtonsoft.json": "13.0.3", "serilog": "4.0.0"}
SAMPLES: list[tuple[str, object, str, dict[str, str]]] = [
    ("poetry.lock", TABLES, "pypi", PYTHON),
    ("uv.lock", TABLES, "pypi", PYTHON),
    ("pdm.lock", TABLES, "pypi", PYTHON),
    ("Pipfile.lock", PIPFILE, "pypi", {"flask": "3.0.3", "pytest": "8.3.2"}),
    ("requirements-dev.txt", REQUIREMENTS, "pypi", {"flask": "3.0.3", "requests": "2.32.3", "six": "1.16.0", "attrs": "24.2.0"}),
    ("package-lock.json", NPM_1, "npm", NODE),
    ("package-lock.json", {**NPM_1, **NPM_3, "lockfileVersion": 2}, "npm", NODE),
    ("npm-shrinkwrap.json", NPM_3, "npm", NODE),
    ("yarn.lock", YARN_1, "npm", NODE),
    ("yarn.lock", YARN_BERRY, "npm", NODE),
    ("pnpm-lock.yaml", PNPM_5, "npm", NODE),
    ("pnpm-lock.yaml", PNPM_6, "npm", NODE),
    ("pnpm-lock.yaml", PNPM_9, "npm", NODE),
    ("Cargo.lock", '[[package]]\nname = "serde-json"\nversion = "1.0.117"\n', "cargo", {"serde_json": "1.0.117"}),
    ("go.mod", GO, "go", {"golang.org/x/text": "v0.14.0", "github.com/gorilla/mux": "v1.8.1"}),
    ("Gemfile.lock", GEMS, "gem", {"forked": "2.0.0", "nokogiri": "1.16.0", "rails": "7.1.3"}),
    ("composer.lock", COMPOSER, "composer", {"symfony/console": "v7.0.3", "phpunit/phpunit": "11.0.0"}),
    ("packages.lock.json", NUGET, "nuget", DOTNET),
    ("Shop.csproj", CSPROJ, "nuget", DOTNET),
    ("gradle.lockfile", GRADLE, "maven", {"com.google.guava:guava": "33.0.0-jre", "org.slf4j:slf4j-api": "2.0.12"}),
    ("Package.resolved", SWIFT_1, "swift", {"swift-protobuf": "1.20.3"}),
    ("Package.resolved", SWIFT_2, "swift", {"swift-protobuf": "1.20.3"}),
    ("shop-1.0-1.rockspec", ROCKSPEC, "luarocks", {"lpeg": "1.1.0-1"}),
]  # fmt: skip
NAMES = [*dict.fromkeys(name for name, *_ in SAMPLES)]


def written(sample: object) -> str:
    return sample if isinstance(sample, str) else json.dumps(sample)


def expected(ecosystem: str, found: dict[str, str]) -> dict[tuple[str, str], str]:
    return {(ecosystem, name): version for name, version in found.items()}


def lay_out(root: Path, files: dict[str, str]) -> list[str]:
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return list(files)


# -- what the formats say
@pytest.mark.parametrize(("name", "sample", "ecosystem", "found"), SAMPLES)
def test_a_lock_file_says_which_versions_are_used(name: str, sample: object, ecosystem: str, found: dict[str, str]):
    assert read_versions(f"some/folder/{name}", written(sample).encode()) == expected(ecosystem, found)


@pytest.mark.parametrize(("name", "sample", "ecosystem", "found"), SAMPLES)
def test_marks_and_line_ends_of_windows_change_nothing(
    name: str, sample: object, ecosystem: str, found: dict[str, str]
):
    text = written(sample).replace("\n", "\r\n")
    assert read_versions(name, codecs.BOM_UTF8 + text.encode()) == expected(ecosystem, found)
    assert read_versions(name, codecs.BOM_UTF16_LE + text.encode("utf-16-le")) == expected(ecosystem, found)


def test_a_text_that_is_not_utf_8_is_read_as_latin_1():
    assert read_versions("requirements.txt", "# für alle\nsix==1.16.0\n".encode("latin-1")) == {
        ("pypi", "six"): "1.16.0"
    }


# -- which files
@pytest.mark.parametrize("name", [*NAMES, "requirements.txt"])
def test_lock_files_are_known_by_name(name: str):
    assert is_lock(name)
    assert is_lock(f"deep/inside/{name}")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "lock",
        "package.json",
        "poetry.lock/x.py",
        "requirements.md",
        "my-requirements.txt",
        "go.sum",
        "a.csproj.user",
        "POETRY.LOCK",
    ],
)
def test_other_files_are_no_lock_files(name: str):
    assert not is_lock(name)
    assert read_versions(name, b'[[package]]\nname = "a"\nversion = "1"\n') == {}


def test_every_format_has_a_sample():
    assert {name for name in LOCK_NAMES if "*" not in name} <= set(NAMES)
    assert len(NAMES) == len(LOCK_NAMES)


# -- names
@pytest.mark.parametrize(
    ("ecosystem", "name", "found"),
    [
        ("pypi", "Ruamel_.-Yaml", "ruamel-yaml"),
        ("cargo", "serde-json", "serde_json"),
        ("nuget", "Newtonsoft.Json", "newtonsoft.json"),
        ("composer", "Symfony/Console", "symfony/console"),
        ("swift", "Swift-NIO", "swift-nio"),
        ("npm", "@Types/Node_x", "@Types/Node_x"),
        ("go", "github.com/BurntSushi/toml", "github.com/BurntSushi/toml"),
        ("maven", "org.Example:a_b-c", "org.Example:a_b-c"),
        ("unheard-of", "A", "A"),
    ],
)
def test_a_name_is_compared_as_its_ecosystem_does(ecosystem: str, name: str, found: str):
    assert normalised(ecosystem, name) == found


# -- a whole repository
def test_the_lock_files_of_a_repository_speak_together(tmp_path: Path):
    paths = lay_out(
        tmp_path,
        {
            "requirements.txt": "six==1.16.0\nattrs==24.2.0\n", "tools/requirements.txt": "six==1.9.0\n", "web/package-lock.json": json.dumps(NPM_3),
            "old/Cargo.lock": "broken", "src/main.py": "six==9",
        },
    )  # fmt: skip
    assert versions(tmp_path, paths) == {
        ("pypi", "six"): "1.9.0, 1.16.0",
        ("pypi", "attrs"): "24.2.0",
        **expected("npm", NODE),
    }


def test_of_many_versions_the_three_lowest_are_told(tmp_path: Path):
    text = "".join(
        f'[[package]]\nname = "rand"\nversion = "{version}"\n'
        for version in ("0.10.1", "0.9.0", "0.8.5", "0.8.5-rc.1", "0.8.5")
    )
    assert versions(tmp_path, lay_out(tmp_path, {"Cargo.lock": text})) == {
        ("cargo", "rand"): "0.8.5, 0.8.5-rc.1, 0.9.0, …"
    }
    assert read_versions("Cargo.lock", text.encode()) == {("cargo", "rand"): "0.8.5, 0.8.5-rc.1, 0.9.0, …"}


def test_what_is_gone_too_large_or_outside_says_nothing(tmp_path: Path):
    root = tmp_path / "repository"
    paths = lay_out(
        root, {"a/requirements.txt": "six==1.16.0\n", "b/requirements.txt": "six==1.0\n" + "#" * MAX_MANIFEST_BYTES}
    )
    (tmp_path / "go.mod").write_text(GO)
    (root / "go.mod").symlink_to(tmp_path / "go.mod")
    (root / "uv.lock").mkdir()
    assert versions(
        root, [*paths, "go.mod", "uv.lock", "../go.mod", "/go.mod", "gone/go.mod", "a\0/go.mod", "a\udcff/go.mod"]
    ) == {("pypi", "six"): "1.16.0"}


# -- what is broken or hostile
@pytest.mark.parametrize(("name", "sample"), [(name, sample) for name, sample, *_ in SAMPLES])
def test_a_half_saved_file_does_no_harm(name: str, sample: object):
    whole = written(sample).encode()
    for end in range(len(whole)):
        assert set(map(type, read_versions(name, whole[:end]).values())) <= {str}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (name, written(sample)[:-9])
        for name, sample, *_ in SAMPLES
        if not isinstance(sample, str) or name.endswith("csproj")
    ],
)
def test_half_of_a_json_or_xml_file_says_nothing(name: str, text: str):
    assert read_versions(name, text.encode()) == {}


@pytest.mark.parametrize("name", NAMES)
@given(text=st.binary(max_size=200))
def test_any_bytes_do_no_harm(name: str, text: bytes):
    assert set(map(type, read_versions(name, text).values())) <= {str}


ODD: list[object] = [None, True, 3, -1.5, "", "\ud800", "a b", [], {}, [[]], [{}], {"": None}, {"version": {}}, ["1.0"]]


def spoilt(value: object) -> Iterator[object]:
    """The same value with one part, at any level, replaced by something odd."""
    yield from ODD
    if isinstance(value, dict):
        for key, part in value.items():
            yield from ({**value, key: odd} for odd in spoilt(part))
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from ([*value[:place], odd, *value[place + 1 :]] for odd in spoilt(part))


@pytest.mark.parametrize(
    ("name", "sample", "ecosystem", "found"), [sample for sample in SAMPLES if not isinstance(sample[1], str)]
)
def test_entries_of_the_wrong_type_are_passed_over(name: str, sample: object, ecosystem: str, found: dict[str, str]):
    whole = expected(ecosystem, found)
    for odd in spoilt(sample):
        said = read_versions(name, json.dumps(odd).encode())
        assert all(whole.get(package) == version for package, version in said.items())


@pytest.mark.parametrize(
    "text",
    [
        "package = 3",
        "[package]\nname = 'a'",
        "package = ['a', [], {}]",
        "[[package]]\nname = 1\nversion = 2",
        "[[package]]\nname = ['a']\nversion = 1979-05-27",
    ],
)
def test_tables_of_the_wrong_type_are_passed_over(text: str):
    assert read_versions("Cargo.lock", text.encode()) == {}


@pytest.mark.parametrize(
    "version",
    [
        "",
        " ",
        "1 0",
        "^1.0",
        ">=1",
        "1.x || 2",
        "git+https://a.example",
        "../up",
        "1\n2",
        "1\x00",
        "<b>",
        "$(V)",
        "\u202e1",
        "9" * 1_000,
    ],
)
def test_what_is_no_version_is_passed_over(version: str):
    assert (
        read_versions("composer.lock", json.dumps({"packages": [{"name": "a/b", "version": version}]}).encode()) == {}
    )


@pytest.mark.parametrize("name", ["", " ", "a b", "a\n", "a\x00", "$(Name)", "<a>", "-a", "a" * 1_000, "\u202ea"])
def test_what_is_no_name_is_passed_over(name: str):
    assert read_versions("composer.lock", json.dumps({"packages": [{"name": name, "version": "1.0"}]}).encode()) == {}


def test_of_a_key_that_stands_twice_the_last_counts():
    assert read_versions(
        "package-lock.json", b'{"dependencies": {"a": {"version": "1.0"}, "a": {"version": "2.0"}}}'
    ) == {("npm", "a"): "2.0"}


SIZE = MAX_MANIFEST_BYTES - 100
HOSTILE = [
    ("package-lock.json", "[" * SIZE),
    ("package-lock.json", '{"packages":' * (SIZE // 12)),
    ("composer.lock", '{"packages": NaN}'),
    ("composer.lock", '{"packages": ' + "9" * SIZE + "}"),
    ("uv.lock", "a = " + "[" * SIZE),
    ("uv.lock", "a = " + "9" * SIZE),
    ("uv.lock", "a." * (SIZE // 2) + "a = 1"),
    ("uv.lock", '"\\""."".' * (SIZE // 8) + "a = 1"),
    ("uv.lock", "[" + "a . " * (SIZE // 4) + "a]"),
    ("uv.lock", '"\\' * (SIZE // 2)),
    ("uv.lock", "a" * SIZE),
    ("requirements.txt", "a" + " " * SIZE),
    ("requirements.txt", "a" * SIZE),
    ("requirements.txt", "a==" + "1" * SIZE + "*"),
    ("requirements.txt", "a" + "[" * SIZE),
    ("yarn.lock", '"' + "@" * SIZE),
    ("yarn.lock", "a" * SIZE),
    ("pnpm-lock.yaml", "packages:\n  " + "a" * SIZE),
    ("pnpm-lock.yaml", "packages:\n  a@" + "1" * SIZE),
    ("go.mod", "require a " + '"' * SIZE),
    ("go.mod", 'require a "' + '\\"' * (SIZE // 2)),
    ("go.mod", "require (\n" * (SIZE // 10)),
    ("Gemfile.lock", "    a (" + "1" * SIZE),
    ("Gemfile.lock", "    " + "a" * SIZE),
    ("gradle.lockfile", "a:" * (SIZE // 2)),
    ("gradle.lockfile", "a:b:" + "1" * SIZE),
    ("a.rockspec", '"a' + " " * SIZE),
    ("a.rockspec", '"' * SIZE),
    ("a.rockspec", '"' + "a" * SIZE),
    ("a.rockspec", '"a == ' + "1" * SIZE),
    ("a.csproj", "<a>" * (SIZE // 3)),
    ("a.csproj", "<a><RootNamespace>" + "a\n" * (SIZE // 2) + "</RootNamespace></a>"),
    ("a.csproj", '<!DOCTYPE a [<!ENTITY b "c">]><a><PackageReference Include="&b;" Version="1.0"/></a>'),
    ("a.csproj", '<!DOCTYPE a SYSTEM "file:///etc/hostname"><a><PackageReference Include="a" Version="1.0"/></a>'),
]


@pytest.mark.limit(10)
@pytest.mark.parametrize(("name", "text"), HOSTILE, ids=[f"{name} {text[:14]}" for name, text in HOSTILE])
def test_what_is_made_to_harm_says_nothing_and_takes_no_time(name: str, text: str):
    assert read_versions(name, text.encode()) == {}


def test_a_file_above_the_limit_is_not_read():
    assert read_versions("requirements.txt", b"six==1.16.0\n" + b"#" * MAX_MANIFEST_BYTES) == {}
