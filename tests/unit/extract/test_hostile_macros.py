"""What looks like a macro for ever takes no time."""

from __future__ import annotations

import time

import pytest

from codeagentd.extract.occurrences.member_operators import gaps
from codeagentd.extract.preprocess.macros import doubtful, without_macros

SIZE = 100_000  # bytes
LIMIT_S = 2.0  # of this process; each takes less than .1


@pytest.mark.parametrize(
    "beginning", [b"MOCK_METHOD(", b"MOCK_METHOD((", b"MOCK_METHOD(int, a", b"using a = ", b"using a = *", b"x = *a"]
)
@pytest.mark.parametrize(
    "repeated", [b" ", b"a", b"a,", b"a<", b"(", b"*a ", b"MOCK_METHOD(", b"MOCK_METHOD(a, ", b"using a = b* "]
)
def test_a_source_of_one_pattern_is_looked_through_in_no_time(beginning: bytes, repeated: bytes) -> None:
    source = beginning + repeated * (SIZE // len(repeated))
    started = time.process_time()
    without_macros(source)
    doubtful(source, [(0, len(source))])
    assert time.process_time() - started < LIMIT_S


@pytest.mark.parametrize("repeated", [b" ", b"/* a */ ", b"// a\n", b"#define A 1\n", b"/* a */\n#define A 1\n"])
def test_comments_after_a_dot_are_looked_through_in_no_time(repeated: bytes) -> None:
    source = b"1.\n" + repeated * (SIZE // len(repeated)) + b"+"
    started = time.process_time()
    assert not gaps(source)
    assert time.process_time() - started < LIMIT_S
