"""Whatever is in a settings file or a variable, it is used or left out with a reason; nothing raises."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.boot.settings import KEYS, REPOSITORY_FILE, load

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([*KEYS, *(name.partition(".")[0] for name in KEYS)]) | st.text(max_size=10)
VARIABLES = [key.variable for key in KEYS.values() if key.variable]


def loaded(content: bytes, variables: dict[str, str]) -> list[Any]:
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / REPOSITORY_FILE
        file.parent.mkdir()
        file.write_bytes(content)
        return list(load(place, variables).problems)


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=60)
    | st.dictionaries(NAMES, VALUES, max_size=4).map(lambda found: json.dumps(found).encode(errors="surrogatepass"))
)
def test_any_file_is_used_or_left_out_with_a_reason(content: bytes) -> None:
    for problem in loaded(content, {}):
        assert problem.message
        assert problem.remedy


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(VARIABLES), st.text(max_size=20), max_size=4))
def test_any_variable_is_used_or_left_out_with_a_reason(variables: dict[str, str]) -> None:
    for problem in loaded(b"{}", variables):
        assert problem.message
        assert problem.remedy
