"""A repository of several languages, and the on-demand index of it without a process around it."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from codeagentd.model.on_demand import Coverage, Question
from codeagentd.pipeline.on_demand.answer_steps import AnswerSteps
from codeagentd.pipeline.on_demand.on_demand_index import NAMES, OnDemandIndex
from codeagentd.pipeline.on_demand.on_demand_messages import Begin
from codeagentd.pipeline.on_demand.on_demand_writer import OnDemandWriter
from codeagentd.pipeline.on_demand.raw_search import Listing, RawSearch
from codeagentd.store.connection import Database

from .stored_rows import StoredRows, stored_rows

MAX_FILE_BYTES = 4 << 20


def shops(count: int) -> dict[str, str]:
    """Return the files of `count` shops in each of five languages. Callers reach what they call through imports,
    includes that include others, re-exports, types of variables and packages.
    """
    files = {"c/include/all.h": "#pragma once\n#include <deep/till.h>\n", "go/go.mod": "module example.com/shops\n"}
    files["c/include/deep/till.h"] = "".join(f"int c_pay_{place}(int amount);\n" for place in range(count))
    files["py/shops/__init__.py"] = "".join(f"from .till{place} import Till{place}\n" for place in range(count))
    files["ts/index.ts"] = "".join(f"export * from './till{place}';\n" for place in range(count))
    for place in range(count):
        files |= _shop(place, (place + 1) % count)
    return files


def _shop(place: int, other: int) -> dict[str, str]:
    return {
        f"c/till{place}.c": f'#include "all.h"\n\nint c_pay_{place}(int amount)\n{{\n\treturn amount;\n}}\n',
        f"c/shop{place}.c": (
            f"#include <all.h>\n\nstatic int help(int amount)\n{{\n\treturn c_pay_{other}(amount);\n}}\n\n"
            f"int c_sell_{place}(void)\n{{\n\treturn help(c_pay_{place}(1));\n}}\n"
        ),
        f"py/shops/till{place}.py": (
            f"class Till{place}:\n    def py_pay_{place}(self, amount):\n        return amount\n\n"
            f"    def refund(self):\n        return self.py_pay_{place}(-1)\n\n\ndef open_{place}() -> Till{place}:\n"
            f"    return Till{place}()\n"
        ),
        f"py/shop{place}.py": (
            f"from shops import Till{other}\nfrom shops.till{place} import open_{place}\n\n\n"
            f"def py_sell_{place}():\n    till = open_{place}()\n    return till.py_pay_{place}(1)\n\n\n"
            f"def py_lend_{place}():\n    return Till{other}().py_pay_{other}(2)\n"
        ),
        f"ts/till{place}.ts": (
            f"export class Till{place} {{\n  tsPay{place}(amount: number) {{ return amount; }}\n}}\n"
            f"export function tsOpen{place}() {{ return new Till{place}(); }}\n"
        ),
        f"ts/shop{place}.ts": (
            f"import {{ Till{place}, tsOpen{other} }} from './index';\n"
            f"export function tsSell{place}(till: Till{place}) {{\n  tsOpen{other}();\n"
            f"  return till.tsPay{place}(1);\n}}\n"
        ),
        f"java/shop/Till{place}.java": (
            f"package shop;\npublic class Till{place} {{\n  public int javaPay{place}(int amount) {{ return amount; }}\n}}\n"
        ),
        f"java/shop/Shop{place}.java": (
            f"package shop;\npublic class Shop{place} {{\n  int javaSell{place}(Till{place} till) {{\n"
            f"    return till.javaPay{place}(1);\n  }}\n}}\n"
        ),
        f"go/till{place}/till.go": f"package till{place}\n\nfunc GoPay{place}(amount int) int {{ return amount }}\n",
        f"go/shop{place}/shop.go": (
            f'package shop{place}\n\nimport "example.com/shops/till{place}"\n\n'
            f"func GoSell{place}() int {{ return till{place}.GoPay{place}(1) }}\n"
        ),
    }


NAMES_OF_SHOPS = ("c_pay_{}", "py_pay_{}", "open_{}", "tsPay{}", "tsOpen{}", "javaPay{}", "GoPay{}")


def write(root: Path, files: Mapping[str, str], *, git: bool = True) -> None:
    """Write `files` below `root`, which is a git repository then; all of them are tracked."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    if git:
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)


def begin_of(root: Path, place: Path, *, ignore: tuple[str, ...] = ()) -> Begin:
    """Return the first request to a process for `root`, with its databases in `place`."""
    place.mkdir(parents=True, exist_ok=True)
    database, facts = (str(place / name) for name in NAMES)
    return Begin(str(root), database, facts, str(place / "blobs.db"), MAX_FILE_BYTES, ignore, ())


class Partial:
    """An on-demand index that is written in this process."""

    def __init__(self, root: Path, place: Path, *, ignore: tuple[str, ...] = ()) -> None:
        self.root = root
        self.read: list[str] = []  # the files that were parsed, in their order
        begin = begin_of(root, place, ignore=ignore)
        self.writer = OnDemandWriter(begin, Listing(root), self.read.append)
        self.database = Database(begin.database)

    def ask(self, *names: str, paths: tuple[str, ...] = (), words: tuple[str, ...] = ()) -> Coverage:
        """Index what a question asks for, to the end; return what is covered."""
        question = Question(names, paths, words)
        steps = AnswerSteps(self.writer, question, RawSearch(self.root, question, Listing(self.root)))
        for _ in steps.run():
            pass
        return steps.coverage

    @property
    def rows(self) -> StoredRows:
        """What it has stored."""
        return stored_rows(self.database)

    def close(self) -> None:
        """Close its databases."""
        self.database.close()
        self.writer.close()


@contextlib.contextmanager
def on_demand(
    root: Path, place: Path, whole: Path, *, is_unasked: bool = False
) -> Iterator[tuple[OnDemandIndex, threading.Event]]:
    """Have a process index files of `root` on demand, until the event is set; `whole` is the path of index.db."""
    first_done = threading.Event()
    index = OnDemandIndex(begin_of(root, place))
    index.start(whole, is_unasked=is_unasked)
    index.end_with(first_done)
    try:
        yield index, first_done
    finally:
        index.end()
