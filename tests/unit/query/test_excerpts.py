"""What of a file is shown holds no secret; and what is known to hold none is not searched again."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.query.retrieval.excerpts import excerpt
from codeagentd.secrets.redaction import REMOVED, judged
from codeagentd.secrets.scanner import detectors
from tests.harness.served import served

ISSUED = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it
DOUBTFUL = ["first = 1", "bcrypt = 'a1b2c3d4e5f6g7h8'", "last = 3"]


def test_a_file_as_it_was_when_nothing_was_found_in_it_is_not_searched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, {"a.py": "\n".join(DOUBTFUL)}) as engine:
        asked: list[bytes] = []
        monkeypatch.setattr(detectors, "detected", lambda data: asked.append(data) or [])
        assert judged("\n".join(DOUBTFUL)).is_doubtful
        assert excerpt(engine.readers.read, "a.py", DOUBTFUL, 2, 3) == DOUBTFUL[1:]
        assert not asked
        changed = [*DOUBTFUL, "more = 4"]
        assert excerpt(engine.readers.read, "a.py", changed, 2, 3) == DOUBTFUL[1:]
        assert excerpt(engine.readers.read, "b.py", DOUBTFUL, 2, 3) == DOUBTFUL[1:]
        assert len(asked) == 2


def test_a_key_is_taken_out_of_what_is_shown_also_of_a_file_that_the_index_has_otherwise(tmp_path: Path) -> None:
    with served(tmp_path, {"a.py": "\n".join(DOUBTFUL)}) as engine:
        lines = ["x = 1", f"key = '{ISSUED}'", f'password = "hunt{"er"}2"']
        assert excerpt(engine.readers.read, "a.py", lines, 1, 3) == [
            "x = 1",
            f"key = '{REMOVED}'",
            f'password = "{REMOVED}"',
        ]


def test_lines_of_a_file_that_is_gone_or_shorter_now_are_none(tmp_path: Path) -> None:
    with served(tmp_path, {"a.py": "x = 1\n"}) as engine:
        assert excerpt(engine.readers.read, "a.py", [], 1, 5) == []
        assert excerpt(engine.readers.read, "a.py", ["x = 1", ""], 7, 9) == []
