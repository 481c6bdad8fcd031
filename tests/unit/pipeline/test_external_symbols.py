"""What the index says of other packages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codeagent_protocol.errors import NotFound
from codeagentd.query.graph.edges import CALLEES, CALLERS, DEPENDENCIES, IMPLEMENTATIONS, EdgeFilter, neighbours
from codeagentd.query.symbols.lookup import Filters
from codeagentd.query.symbols.name_resolution import resolve
from codeagentd.query.symbols.symbol_search import search
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
LOAD = "import requests\n\ndef load(url):\n    return keep(requests.get(url))\n\ndef keep(answer):\n    return answer\n"


def _ends(bench: Bench, name: str, question: EdgeFilter) -> list[str]:
    with bench.engine.readers.read() as database:
        return [item.qualified_name for item in neighbours(database, resolve(database, name), question, None, 50).items]


def _search(bench: Bench, text: str) -> list[tuple[str, str, str]]:
    with bench.engine.readers.read() as database:
        return [
            (hit.qualified_name, hit.node_type, hit.file_path) for hit in search(database, text, Filters(), 10).hits
        ]


def test_who_uses_a_definition_of_another_package_has_an_answer(make_bench: Make) -> None:
    bench = make_bench(
        {"a.py": LOAD, "b.py": "from requests import get, Session\n\nclass Mine(Session):\n    x = get('u')\n"}
    )
    assert _ends(bench, "requests.get", CALLERS) == ["a.load", "b.Mine"]
    assert _ends(bench, "requests.Session", IMPLEMENTATIONS) == ["b.Mine"]


def test_callees_are_those_of_the_repository_and_dependencies_also_name_others(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD})
    assert _ends(bench, "a.load", CALLEES) == ["a.keep"]
    assert "requests.get" in _ends(bench, "a.load", DEPENDENCIES)


def test_a_search_for_its_whole_name_finds_it_behind_what_the_repository_has(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD})
    assert _search(bench, "requests.get") == [("requests.get", "external", "external:python/requests")]
    assert _search(bench, "requests") == [("requests", "package", "external:python/requests")]


def test_what_nothing_refers_to_any_more_is_not_shown(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD})
    bench.write("a.py", "def load(url):\n    return url\n")
    bench.catch_up()
    assert _search(bench, "requests.get") == []
    with bench.engine.readers.read() as database, pytest.raises(NotFound):
        resolve(database, "requests.get")
    bench.write("a.py", LOAD)
    bench.catch_up()
    assert _ends(bench, "requests.get", CALLERS) == ["a.load"]


def test_a_module_that_appears_in_the_repository_takes_the_place_of_the_package(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD})
    bench.write("requests.py", "def get(url):\n    return url\n")
    bench.catch_up()
    assert _ends(bench, "requests.get", CALLERS) == ["a.load"]
    assert _search(bench, "requests.get") == [("requests.get", "function", "requests.py")]


def test_files_of_the_index_are_those_of_the_repository(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD})
    status = bench.engine.status()
    assert (status.indexed_files, status.indexed_symbols) == (1, 2)


@pytest.mark.parametrize("path", ["acme::dial", "acme::net::dial"])
def test_an_item_right_below_a_crate_is_as_well_known_as_one_of_its_modules(make_bench: Make, path: str) -> None:
    bench = make_bench(
        {"Cargo.toml": '[package]\nname = "web"\n', "src/main.rs": f"use {path};\n\nfn main() {{ dial(); }}\n"}
    )
    assert "web::main" in _ends(bench, path, CALLERS)


@pytest.mark.parametrize("name", ["net/http.Get", "http.Get"])
def test_the_end_of_its_name_is_enough(make_bench: Make, name: str) -> None:
    bench = make_bench({"a.go": 'package a\n\nimport "net/http"\n\nfunc Load() { http.Get("u") }\n'})
    assert _ends(bench, name, CALLERS) == ["a.Load"]


def test_a_lock_file_says_which_version_is_used_and_may_change_its_mind(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD, "requirements.txt": "requests==2.31.0\n"})
    assert _search(bench, "requests.get")[0][2] == "external:python/requests@2.31.0"
    bench.write("requirements.txt", "requests==2.32.1\n")
    bench.catch_up()
    assert _search(bench, "requests")[0] == ("requests", "package", "external:python/requests@2.32.1")
    (bench.root / "requirements.txt").unlink()
    bench.catch_up()
    assert _search(bench, "requests")[0][2] == "external:python/requests"


def test_a_lock_file_that_went_while_nobody_watched_leaves_no_version_behind(make_bench: Make) -> None:
    bench = make_bench({"a.py": LOAD, "requirements.txt": "requests==2.31.0\n"})
    bench.engine.close(10)
    (bench.root / "requirements.txt").unlink()
    bench.start()
    bench.catch_up()
    assert _search(bench, "requests")[0][2] == "external:python/requests"


def test_the_packages_of_a_module_have_its_version(make_bench: Make) -> None:
    manifest = "module example.org/a\n\nrequire k8s.io/client-go v0.29.1\n"
    bench = make_bench(
        {"go.mod": manifest, "a.go": 'package a\n\nimport "k8s.io/client-go/rest"\n\nfunc Load() { rest.Dial() }\n'}
    )
    assert _search(bench, "k8s.io/client-go/rest.Dial")[0][2] == "external:go/k8s.io/client-go@v0.29.1"
