"""The templates of the page, and what they may say: text from repositories stays text, and shows what it hides."""

from __future__ import annotations

import datetime
import functools
import re
import unicodedata
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import jinja2
from markupsafe import Markup

from codeagentd.model.labels import HIDDEN
from codeagentd.toolkit.tool import declared

HERE: Final = Path(__file__).parent
SHOWN: Final = frozenset("\t\n")  # of the control characters
_PLAIN: Final = re.compile(r"[\t\n\x20-\x7e]*")


def visible(value: object) -> object:
    """Return a value for a template; in a text, characters that hide or turn others are replaced by their numbers."""
    if not isinstance(value, str) or isinstance(value, Markup) or _PLAIN.fullmatch(value):
        return value
    return "".join(
        f"⟨{ord(letter):X}⟩" if unicodedata.category(letter) in HIDDEN and letter not in SHOWN else letter
        for letter in value
    )


def file_url(path: str, line: int = 0) -> str:
    """Return the address of a file's page, at a line where one is given."""
    return f"/file/{quote(path)}" + (f"#L{line}" if line else "")


def tree_url(path: str = "") -> str:
    """Return the address of a folder's page."""
    return f"/tree/{quote(path)}"


def history_url(path: str) -> str:
    """Return the address of the page with the commits of a file."""
    return f"/history/{quote(path)}"


def colors_url(path: str, first: int, last: int) -> str:
    """Return the address of the colours of a file's lines."""
    return f"/colors/{quote(path)}?from={first}&to={last}"


def tests_url(node_id: str) -> str:
    """Return the address of the page with the tests of a symbol."""
    return f"/tests/{quote(node_id, safe='/:')}"


def possible_url(node_id: str) -> str:
    """Return the address of the page with the calls that may mean a symbol."""
    return f"/possible/{quote(node_id, safe='/:')}"


def symbol_url(node_id: str) -> str:
    """Return the address of a symbol's page, by its id, its name or its place."""
    return f"/symbol/{quote(node_id, safe='/:')}"


def with_query(path: str, **parameters: object) -> str:
    """Return an address with those parameters that have a value."""
    present = {name: value for name, value in parameters.items() if value not in (None, "", 0, False)}
    return f"{path}?{urlencode(present)}" if present else path


def size(count: int) -> str:
    """Return a number of bytes for people."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1_000:
            return f"{value:.0f} {unit}" if value >= 10 or unit == "B" else f"{value:.1f} {unit}"
        value /= 1_000
    return f"{value:.1f} GB"


def duration(seconds: float) -> str:
    """Return a time span for people: `3 ms`, `4.2 s`, `5 min`, `3 h`, `2 days`."""
    if round(seconds * 1_000) < 1_000:
        return f"{seconds * 1_000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    for unit, length, most in (("s", 1, 60), ("min", 60, 60), ("h", 3_600, 24)):
        if round(seconds / length) < most:
            return f"{seconds / length:.0f} {unit}"
    days = round(seconds / 86_400)
    return f"{days} day{'s' if days != 1 else ''}"


def clock_time(at: float) -> str:
    """Return a moment, in unix seconds, as ISO 8601 in UTC; scripts show it as the reader's own time."""
    return datetime.datetime.fromtimestamp(at, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def thousands(number: float) -> str:
    """Return a number with commas."""
    return f"{number:,}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def for_people(note: str) -> str:
    """Return a note of an answer without the asides that name tools, which a page has no use for."""
    return _aside().sub("", note)


@functools.cache
def _aside() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, declared()), key=len, reverse=True))
    return re.compile(rf"\s*\([^()]*\b(?:{names})\b[^()]*\)")


@functools.cache
def templates() -> jinja2.Environment:
    """Return the templates. Whatever they insert is escaped, and none is made of text from elsewhere."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True, auto_reload=False, trim_blocks=True,
        lstrip_blocks=True, finalize=visible,
    )  # fmt: skip
    addresses = (file_url, tree_url, history_url, colors_url, tests_url, possible_url, symbol_url, with_query)
    environment.globals.update({address.__name__: address for address in addresses})
    environment.filters.update(
        size=size, duration=duration, clock_time=clock_time, thousands=thousands, counted=counted, for_people=for_people
    )
    return environment


def rendered(name: str, values: dict[str, Any], *, only_main: bool) -> str:
    """Return the page of the template `name`; with `only_main`, what is inside of its main element."""
    return templates().get_template(f"{name}.html").render(values, layout="main.html" if only_main else "base.html")
