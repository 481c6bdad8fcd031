"""The notices in answers that were made before the first index was whole."""

from __future__ import annotations

import pytest

from codeagentd.model.engine_status import Progress
from codeagentd.model.on_demand import Coverage
from codeagentd.toolkit.partial_answers import coverage_notice

BUILDING = "The index is being built (12,300 of 78,311 files)."
MORE = "; more may exist: ask again in a moment"


@pytest.mark.parametrize(
    ("coverage", "words"),
    [
        (Coverage(("vfs_read",), (), 41, 41, True, 78_311), "This answer covers the 41 files that mention vfs_read"),
        (Coverage(("main",), (), 1, 1, True, 78_311), "This answer covers the file that mentions main"),
        (
            Coverage(("kmalloc_array",), (), 300, 1_123, False, 78_311),
            f"This answer covers 300 of the 1,123 files that mention kmalloc_array so far{MORE}",
        ),
        (
            Coverage((), (), 60, 60, False, 78_311),
            f"This answer covers the 60 files that have most of its words{MORE}",
        ),
        (Coverage((), ("fs/exec.c",), 0, 0, False, 78_311), f"This answer covers fs/exec.c{MORE}"),
        (Coverage(("nothing",), (), 0, 0, True, 78_311), "No file that mentions nothing was found"),
        (Coverage((), (), 0, 0, False, 78_311), f"It is not known yet{MORE}"),
    ],
)
def test_a_notice_says_what_is_covered(coverage: Coverage, words: str) -> None:
    assert coverage_notice(coverage, Progress("extract", 12_300, 78_311)) == f"{BUILDING} {words}"


def test_a_notice_without_figures_yet() -> None:
    assert coverage_notice(Coverage(), Progress()) == f"The index is being built. It is not known yet{MORE}"
