"""The pytest plugin of `make check`: it begins no test after a time, and says which ones it left out.

Options: `--until EPOCH`, seconds since 1970 after which no test begins; `--prefer WORD`, run tests whose id holds this word before the others of their
file. Files are run in the order in which they stand on the command line.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

import pytest

LEAST_S: Final = 15.0  # also where lint took the minute: types are checked from nothing the first time
REASON: Final = "no time left"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    parser.addoption("--until", type=float, metavar="EPOCH", help="begin no test after this time")
    parser.addoption("--prefer", action="append", default=[], metavar="WORD", help="begin with tests of this name")


def pytest_configure(config: pytest.Config) -> None:
    """Leave some time for tests where the steps before them took it all."""
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
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin no test after the time."""
    until = item.config.option.until
    if until is not None and time.time() > until:
        pytest.skip(REASON)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was left out, by file."""
    left_out = Counter(
        report.nodeid.partition("::")[0]
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple) and report.longrepr[2].endswith(REASON)
    )
    if left_out:
        files = ", ".join(f"{path} ({count})" for path, count in left_out.items())
        terminalreporter.write_line(f"left out for lack of time, make test runs them: {files}")
