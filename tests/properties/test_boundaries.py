"""Edges between languages: whatever is edited, moved or deleted, the index says what a fresh one would say."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline.batch import batch_writer, reference_writer
from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.properties.test_incremental import assert_equals_fresh, begun, content, engine_for

PARTS = ("/users", "/items", "/api", "/{}", "/v1")


def path_of(chance: random.Random, hole: str) -> str:
    return "".join(chance.sample(PARTS, chance.choice((1, 1, 2)))).replace("{}", hole)


def fast_text(chance: random.Random) -> str:
    lines = [
        "from fastapi import APIRouter, FastAPI",
        f"from web import {chance.choice('ab')}",
        "import subprocess, ctypes, httpx, fastmod",
        "app = FastAPI()",
    ]
    lines += [
        f'router = APIRouter(prefix="{path_of(chance, "{x}")}")',
        f'app.include_router({chance.choice(("router", "a.router", "b.router"))}, prefix="/in")',
    ]
    for name in ("load", "store"):
        lines += [
            f'@{chance.choice(("app", "router"))}.{chance.choice(("get", "post"))}("{path_of(chance, "{x}")}")',
            f"def {name}(): ...",
        ]
    lines += [
        'lib = ctypes.CDLL("x")',
        "def use(x):",
        f"    lib.{chance.choice(('load', 'sum_all'))}(x)",
        f"    fastmod.{chance.choice(('plus', 'minus'))}(1)",
    ]
    lines += [
        f'    subprocess.run(["python", "tools/{chance.choice("xy")}.py"])',
        f'    httpx.{chance.choice(("get", "post"))}(f"{path_of(chance, "{x}")}")',
    ]
    return "\n".join(lines) + "\n"


def django_text(chance: random.Random) -> str:
    view = chance.choice(("a.load", "b.store", "Gone.as_view()"))
    return (
        f"from django.urls import include, path\nfrom web import a, b\n"
        f'urlpatterns = [path("{path_of(chance, "<int:x>")[1:]}", {view}), path("sub/", include("web.{chance.choice(("sub", "none"))}"))]\n'
    )


def express_text(chance: random.Random) -> str:
    lines = [
        'const router = require("express").Router();',
        f'const other = require("./{chance.choice("ab")}");',
        "function load() {}",
    ]
    lines += [
        f'router.get("{path_of(chance, ":x")}", {chance.choice(("load", "other.load"))});',
        f'router.use("{path_of(chance, ":x")}", other);',
    ]
    lines += [
        f"async function ask(x) {{ await fetch(`{path_of(chance, '${x}')}`); }}",
        "module.exports = router;",
        "exports.load = load;",
    ]
    return "\n".join(lines) + "\n"


def native_text(chance: random.Random) -> str:
    names = chance.sample(("load", "sum_all", "add"), 2)
    offers = f'PYBIND11_MODULE({chance.choice(("fastmod", "slowmod"))}, m) {{ m.def("{chance.choice(("plus", "minus"))}", &{names[0]}); }}\n'
    return "".join(f"int {name}(int a) {{ return a; }}\n" for name in names) + chance.choice((offers, ""))


def proto_text(chance: random.Random) -> str:
    return f'syntax = "proto3";\nservice Shop {{ rpc {chance.choice(("Load", "Store"))} (X) returns (X); }}\nmessage X {{}}\n'


def server_text(chance: random.Random) -> str:
    method = chance.choice(("Load", "Store"))
    stub = f"import shop_pb2_grpc as pb\nclass S(pb.ShopServicer):\n    def {method}(self): ...\n"
    return stub + f"def ask(c):\n    stub = pb.ShopStub(c)\n    stub.{chance.choice(('Load', 'Store'))}(1)\n"


TEXTS: dict[str, Callable[[random.Random], str]] = {
    "web/a.py": fast_text, "web/b.py": fast_text, "web/urls.py": django_text, "web/sub.py": django_text, "js/a.js": express_text, "js/b.js": express_text,
    "native/one.cpp": native_text, "native/two.c": native_text, "shop.proto": proto_text, "web/server.py": server_text,
    "tools/x.py": lambda chance: "pass\n", "tools/y.py": lambda chance: "pass\n",
}  # fmt: skip


def change(chance: random.Random, repo: Path) -> None:
    """One thing that happens to a file."""
    path = chance.choice(list(TEXTS))
    act = chance.random()
    if (repo / path).exists() and act < 0.2:
        (repo / path).unlink()
    elif (repo / path).exists() and act < 0.3:
        target = (repo / path).with_name(f"moved_{Path(path).name}")
        target.unlink(missing_ok=True)
        (repo / path).rename(target)
    else:
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(TEXTS[path](chance))


@pytest.mark.parametrize(
    ("seed", "at_once"), [(0, 250), (1, 250), (3, 1)]
)  # files that are resolved with the change; more are, after it
def test_an_incremental_index_has_the_boundaries_of_a_fresh_one(
    seed: int, at_once: int, repo: Path, tmp_path: Path, engines: list[IndexingEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_writer, "BULK_RESOLVE_FILES", at_once)
    monkeypatch.setattr(reference_writer, "BULK_RESOLVE_FILES", at_once)
    chance = random.Random(seed)
    for path, text in TEXTS.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text(chance))
    engine = begun(repo, tmp_path / "kept", engines)
    kinds = set()
    for step in range(8):
        for _ in range(chance.choice((1, 1, 2, 5))):
            change(chance, repo)
        if step == 4:  # what a daemon remembers of the last edges is gone with it
            engine.close(10)
            engines[:] = [engine := engine_for(repo, tmp_path / "kept")]
        assert_equals_fresh(engine, repo, tmp_path / f"fresh{step}")
        kinds |= {row[4] for row in content(engine.index_path)["refs"]}
    assert {19, 20, 21, 22} <= kinds


@pytest.mark.parametrize("text", [None, "first = 1\n"])
def test_no_boundary_outlasts_the_last_file_that_reaches_it(
    text: str | None, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    script = repo / "clean.py"
    script.write_text('import subprocess\n\nsubprocess.run(["rm", "build"])\n')
    begun(repo, tmp_path / "kept", engines).close(10)
    engine = begun(repo, tmp_path / "kept", engines)  # which has read no file of its own
    assert "command rm" in {row[1] for row in content(engine.index_path)["symbols"]}
    script.write_text(text) if text else script.unlink()
    assert_equals_fresh(engine, repo, tmp_path / "fresh")
