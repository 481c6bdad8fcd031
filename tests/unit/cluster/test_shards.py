"""Shards are equal parts of everything, and each file is in exactly one of them."""

from __future__ import annotations

import pytest

from codeagent_protocol.errors import INVALID_PARAMETER, CodedError
from codeagentd.cluster.shards import Shard, divided, range_of


@pytest.mark.parametrize(("parts", "count"), [(1, 5), (3, 10), (7, 3), (4, 0)])
def test_each_thing_in_a_row_is_in_exactly_one_shard(parts: int, count: int):
    runs = [range_of(Shard(number, parts), count) for number in range(1, parts + 1)]
    assert [place for run in runs for place in run] == [*range(count)]
    assert max(map(len, runs)) - min(map(len, runs)) <= 1


@pytest.mark.parametrize("text", ["4/3", "0/3", "x", "", "1", "1/0", "-1/3", "1/3/4", "1.5/3", "²/3", "1/10000000"])
def test_what_is_no_shard_is_refused_with_the_way_to_write_one(text: str):
    with pytest.raises(CodedError) as refused:
        Shard.parse(text)
    assert refused.value.code == INVALID_PARAMETER
    assert "I/N" in refused.value.remedy


def test_runs_of_files_have_about_the_same_bytes_and_keep_folders_together():
    files = [(f"pkg{number // 10:02}/file{number % 10}.py", 100) for number in range(400)]
    runs = divided(files, 4, lambda file: file[0], lambda file: file[1])
    assert [file for run in runs for file in run] == files
    assert [len(run) for run in runs] == [100, 100, 100, 100]
    folders = [{path.split("/")[0] for path, _ in run} for run in runs]
    assert len(set.union(*folders)) == sum(map(len, folders)), "no folder is in two runs"


def test_a_folder_with_most_of_the_files_is_divided():
    files = [(f"all/file{number:03}.py", 10) for number in range(90)] + [("other/a.py", 10)]
    runs = divided(files, 3, lambda file: file[0], lambda file: file[1])
    assert all(20 <= len(run) <= 40 for run in runs)


def test_there_are_no_more_runs_than_files():
    assert divided([("a.py", 5)], 3, lambda file: file[0], lambda file: file[1]) == [[("a.py", 5)]]
    assert divided([], 3, str, len) == []
