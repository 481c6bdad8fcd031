"""The pytest plugin of `make check`: it begins no test after a time, and says which ones it left out.

Options: `--until EPOCH`, seconds since 1970 after which no test begins; `--prefer WORD`, run tests whose id holds this word before the others of their
file. Files are run in the order in which they stand on the command line.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any, Final

import pytest

LEAST_S: Final = 15.0  # also where lint took the minute: types are checked from nothing the first time
_left_out = pytest.StashKey[Counter[str]]()  # tests by file


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    parser.addoption("--until", type=float, metavar="EPOCH", help="begin no test after this time")
    parser.addoption("--prefer", action="append", default=[], metavar="WORD", help="begin with tests of this name")


def pytest_configure(config: pytest.Config) -> None:
    """Leave some time for tests where the steps before them took it all."""
    config.stash[_left_out] = Counter()
    if config.option.until is not None:
        config.option.until = max(config.option.until, time.time() + LEAST_S)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the nearest files first, and in them the tests of what is preferred."""
    order = {argument: number for number, argument in enumerate(config.args)}
    words = [f"[{word}/" for word in config.option.prefer] + [f"[{word}-" for word in config.option.prefer]
    items.sort(
        key=lambda item: (
            order.get(item.nodeid.partition("::")[0], len(order)),
            not any(word in item.nodeid for word in words),
        )
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Begin no test after the time: pass over it, which takes less than to skip it."""
    until = item.config.option.until
    if until is None or time.time() <= until:
        return None
    item.config.stash[_left_out][item.nodeid.partition("::")[0]] += 1
    return True


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that shares out the work, where this one has a part of it."""
    if hasattr(session.config, "workeroutput"):
        left_out = session.config.stash[_left_out]
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what one of several processes has left out."""
    left_out: dict[str, int] = getattr(node, "workeroutput", {}).get("left_out", {})
    node.config.stash[_left_out].update(left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name what was left out, by file."""
    if left_out := config.stash[_left_out]:
        files = ", ".join(f"{path} ({count})" for path, count in left_out.items())
        terminalreporter.write_line(f"left out for lack of time, make test runs them: {files}")
