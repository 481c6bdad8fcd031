"""Tool arguments as people type them."""

from __future__ import annotations

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.commands.call import parsed


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ([], {}),
        (["query=Parser", "limit=5"], {"query": "Parser", "limit": 5}),
        (["query=a=b"], {"query": "a=b"}),
        (['paths=["a.py"]'], {"paths": ["a.py"]}),
        (["query="], {"query": ""}),
        (['{"query": "x", "limit": 2}'], {"query": "x", "limit": 2}),
    ],
)
def test_words_become_arguments(words: list[str], arguments: dict[str, object]):
    assert parsed(words) == arguments


@pytest.mark.parametrize("words", [["query"], ["=x"], ['{"query": '], ["query=x", "more"]])
def test_words_that_are_no_arguments_are_refused_with_a_remedy(words: list[str]):
    with pytest.raises(InvalidParameter) as caught:
        parsed(words)
    assert caught.value.remedy
