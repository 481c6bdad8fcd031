"""Texts of sources that are looked at while a change is resolved, in the daemon itself: none takes longer than its length allows."""

from __future__ import annotations

import re
import time

import pytest

from codeagentd.resolve.external_packages import _GO_HOSTED
from codeagentd.resolve.overloads.csharp_delegates import DELEGATE, EXTENDED

LENGTH = 20_000


@pytest.mark.parametrize(
    ("expression", "begin", "piece"),
    [
        (EXTENDED, "(this ", "<a>"), (EXTENDED, "(this ", "<"), (EXTENDED, "(this a", "<a,"), (EXTENDED, "(this ", "ref "), (EXTENDED, "(", "[a]"),
        (DELEGATE, "", "a"), (DELEGATE, "", "a."), (DELEGATE, "", "a "), (DELEGATE, "", "a<"), (_GO_HOSTED, "", "."), (_GO_HOSTED, "", "a."),
    ],
)  # fmt: skip
def test_hostile_text_takes_time_in_proportion_to_its_length(
    expression: re.Pattern[str], begin: str, piece: str
) -> None:
    begun = time.thread_time()
    expression.match(begin + piece * (LENGTH // len(piece)))
    assert time.thread_time() - begun < 0.5


@pytest.mark.parametrize(
    ("parameters", "extended"),
    [
        ("(this Shelf<Book> all, Func<Book> find)", "Shelf<Book>"), ("([NotNull] this ref Shelf? one)", "Shelf?"),
        ("(this Shelf<Map<string, List<Book>>>.Row[] rows)", "Shelf<Map<string, List<Book>>>.Row[]"), ("(Shelf all)", ""),
    ],
)  # fmt: skip
def test_an_extension_method_extends_the_type_of_its_first_parameter(parameters: str, extended: str) -> None:
    match = EXTENDED.match(parameters)
    assert (match[1] if match else "") == extended
