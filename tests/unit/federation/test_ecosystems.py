"""Packages of other repositories, in each ecosystem whose imports say whose a name is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.toolsets import load
from tests.harness.federated import Workbench, workbench

CATALOGUE = load("codeagentd.tools")

# (what provides, what uses, the label there, the callers' labels by file and sureness)
CASES = {
    "npm, by an entry that exports what another file defines": (
        {
            "package.json": '{"name": "@acme/ui", "version": "2.0.0", "main": "dist/index.js"}',
            "src/index.ts": "export * from './button';\n",
            "src/button.ts": "export class Button { render(): number { return 1 } }\nexport function make(): Button { return new Button() }\n",
        },
        {
            "package.json": '{"name": "web", "dependencies": {"@acme/ui": "^2.0.0"}}',
            "package-lock.json": '{"lockfileVersion": 3, "packages": {"node_modules/@acme/ui": {"version": "2.0.0"}}}',
            "src/page.ts": "import { make } from '@acme/ui';\n\nexport function page() { return make(); }\n",
        },
        "make", {("page()", "web::src/page.ts", "EXTRACTED")},
    ),
    "npm, by a path inside": (
        {"package.json": '{"name": "lib"}', "src/deep.v2.ts": "export function dive() {}\n"},
        {"package.json": '{"name": "web"}', "page.ts": "import { dive } from 'lib/deep.v2';\n\nexport const page = () => dive();\n"},
        "dive", {("page()", "web::page.ts", "INFERRED")},
    ),
    "Go": (
        {"go.mod": "module github.com/acme/lib\n", "rest/rest.go": "package rest\n\nfunc Dial() {}\n\ntype Client struct{}\n\nfunc (c Client) Send() {}\n"},
        {
            "go.mod": "module example.org/web\n\nrequire github.com/acme/lib v1.4.0\n",
            "main.go": 'package main\n\nimport "github.com/acme/lib/rest"\n\nfunc main() { rest.Dial() }\n',
        },
        "rest.Dial", {("main()", "web::main.go", "INFERRED")},
    ),
    "Rust, through a `pub use`": (
        {
            "Cargo.toml": '[package]\nname = "acme-lib"\nversion = "0.3.1"\n',
            "src/lib.rs": "mod inner;\npub use inner::dial;\n",
            "src/inner.rs": "pub fn dial() {}\n",
        },
        {
            "Cargo.toml": '[package]\nname = "web"\nversion = "1.0.0"\n\n[dependencies]\nacme-lib = "0.3"\n',
            "Cargo.lock": '[[package]]\nname = "acme-lib"\nversion = "0.3.1"\n',
            "src/main.rs": "use acme_lib::dial;\n\nfn main() { dial(); }\n",
        },
        "dial", {("main()", "web::src/main.rs", "EXTRACTED")},
    ),
    "Java": (
        {"pom.xml": "<project><artifactId>lib</artifactId></project>",
         "src/main/java/com/acme/lib/Dialer.java": "package com.acme.lib;\n\npublic class Dialer {\n  public static void dial() {}\n}\n"},
        {"src/main/java/web/Page.java": "package web;\n\nimport com.acme.lib.Dialer;\n\nclass Page {\n  void open() { Dialer.dial(); }\n}\n"},
        "Dialer.dial", {("web.Page.open()", "web::src/main/java/web/Page.java", "INFERRED")},
    ),
    "C#": (
        {"Lib.csproj": "<Project/>", "Dialer.cs": "namespace Acme.Lib;\n\npublic static class Dialer {\n  public static void Dial() {}\n}\n"},
        {"Web.csproj": "<Project/>", "Page.cs": "using Acme.Lib;\n\nnamespace Web;\n\nclass Page {\n  void Open() { Dialer.Dial(); }\n}\n"},
        "Dialer.Dial", set(),
    ),
    "PHP": (
        {"composer.json": '{"name": "acme/lib"}', "src/Dialer.php": "<?php\nnamespace Acme\\Lib;\n\nclass Dialer { public static function dial() {} }\n"},
        {"composer.json": '{"name": "x/web"}',
         "src/Page.php": "<?php\nnamespace Web;\n\nuse Acme\\Lib\\Dialer;\n\nclass Page { function open() { Dialer::dial(); } }\n"},
        "Dialer.dial", {("Web.Page.open()", "web::src/Page.php", "INFERRED")},
    ),
    "Python, a distribution that is called otherwise": (
        {"pyproject.toml": '[project]\nname = "PyAcme"\nversion = "1"\n',
         "src/acme/__init__.py": "", "src/acme/net.py": "class Client:\n    def send(self):\n        pass\n"},
        {"page.py": "from acme import net\n\n\ndef page():\n    return net.Client()\n"},
        "Client", {("page()", "web::page.py", "INFERRED")},
    ),
}  # fmt: skip


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path) as found:
        yield found


@pytest.mark.parametrize("case", CASES)
def test_who_uses_a_package_calls_what_another_repository_defines(bench: Workbench, case: str) -> None:
    provided, using, label, callers = CASES[case]
    bench.repository("web", using)
    with bench.context(bench.repository("lib", provided, members=["../web"])) as ctx:
        answer = run(CATALOGUE["find_callers"], ctx, {"label": label}).structured
        assert answer["found"], answer
        assert {
            (one["label"], one["file"], one["confidence"]) for one in answer["neighbors"] if one["relation"] == "calls"
        } == callers


@pytest.mark.parametrize(
    ("provided", "using"),
    [
        ({"json.py": "def loads(text):\n    pass\n"}, "import json\n\n\ndef page():\n    json.loads('')\n"),  # the standard library's, and no project
        ({"pyproject.toml": '[project]\nname = "x"\n',
         "json/__init__.py": "def loads(text):\n    pass\n"}, "import json\n\n\ndef page():\n    json.loads('')\n"),
        ({"pyproject.toml": '[project]\nname = "x"\n',
         "tests/helpers/__init__.py": "def loads():\n    pass\n"}, "import helpers\n\n\ndef page():\n    helpers.loads()\n"),
        ({"acme/__init__.py": "def loads():\n    pass\n"}, "import acme\n\n\ndef page():\n    acme.loads()\n"),  # nothing says that it is ever installed
    ],
)  # fmt: skip
def test_what_only_has_the_same_name_is_no_definition(bench: Workbench, provided: dict[str, str], using: str) -> None:
    bench.repository("web", {"page.py": using})
    with bench.context(bench.repository("lib", provided, members=["../web"])) as ctx:
        assert run(CATALOGUE["find_callers"], ctx, {"label": "loads"}).structured["neighbors"] == []


def test_of_two_repositories_with_one_package_none_is_guessed(bench: Workbench) -> None:
    acme = {"pyproject.toml": '[project]\nname = "acme"\n', "acme/__init__.py": "def dial():\n    pass\n"}
    bench.repository("first", acme)
    bench.repository("second", acme)
    root = bench.repository(
        "web", {"page.py": "import acme\n\n\ndef page():\n    acme.dial()\n"}, members=["../first", "../second"]
    )
    with bench.context(root) as ctx:
        answer = run(CATALOGUE["find_callees"], ctx, {"label": "page"}).structured
        assert [one["file"] for one in answer["neighbors"]] == ["external:python/acme"]
        assert "first, second provide the same package: edges to it are left out" in answer["note"]


def test_of_two_repositories_the_one_with_the_version_in_use_is_meant(bench: Workbench) -> None:
    for name, version in (("first", "1.0"), ("second", "2.0")):
        bench.repository(
            name,
            {
                "pyproject.toml": f'[project]\nname = "acme"\nversion = "{version}"\n',
                "acme/__init__.py": "def dial():\n    pass\n",
            },
        )
    using = {"requirements.txt": "acme==2.0\n", "page.py": "import acme\n\n\ndef page():\n    acme.dial()\n"}
    with bench.context(bench.repository("web", using, members=["../first", "../second"])) as ctx:
        answer = run(CATALOGUE["find_callees"], ctx, {"label": "page"}).structured
        assert [(one["file"], one["confidence"]) for one in answer["neighbors"]] == [
            ("second::acme/__init__.py", "EXTRACTED")
        ]


def test_an_edit_of_either_side_is_seen(bench: Workbench) -> None:
    lib = bench.repository(
        "lib", {"pyproject.toml": '[project]\nname = "acme"\n', "acme/__init__.py": "def dial():\n    pass\n"}
    )
    root = bench.repository("web", {"page.py": "import acme\n\n\ndef page():\n    acme.ring()\n"}, members=["../lib"])
    with bench.context(root) as ctx:

        def callees() -> list[str]:
            return [
                one["file"] for one in run(CATALOGUE["find_callees"], ctx, {"label": "page"}).structured["neighbors"]
            ]

        assert callees() == ["external:python/acme"]
        (lib / "acme/__init__.py").write_text("def ring():\n    pass\n")
        bench.index(lib)
        assert callees() == ["lib::acme/__init__.py"]
