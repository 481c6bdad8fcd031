"""The same bytes have the same facts, whenever and wherever they are read: captures come in no order, and facts are shared by content."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import language_of
from codeagentd.model.facts import pack
from tests.harness.marked_source import read_case

CASES = Path(__file__).parents[2] / "languages"
TIMES = 4


@pytest.mark.parametrize("folder", sorted(path.name for path in CASES.iterdir() if any(path.glob("*.case"))))
def test_a_source_has_the_same_facts_every_time(folder: str) -> None:
    for place in sorted((CASES / folder).glob("*.case")):
        for path, text in read_case(place).files.items():
            if language := language_of(path):
                assert len({pack(extract(text.encode(), language)) for _ in range(TIMES)}) == 1, f"{place.name}: {path}"
