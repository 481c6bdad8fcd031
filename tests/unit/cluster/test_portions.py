"""Portions of files: equal on every machine, and a change moves no other."""

from __future__ import annotations

from codeagentd.cluster.file_listing import ListedFile
from codeagentd.cluster.portions import MOST_BYTES, dealt, portions_of
from codeagentd.model.ids import text_digest
from codeagentd.pipeline.rows.module_names import ModuleName


def file(path: str, content: str = "", size: int = 100) -> ListedFile:
    return ListedFile(path, "python", "python", "", ModuleName(path, path), text_digest(content or path), size)


FILES_OF_A_REPOSITORY = [file(f"pkg{number // 30:03}/file{number:05}.py") for number in range(5_000)]


def test_each_file_is_in_one_portion():
    portions = portions_of(FILES_OF_A_REPOSITORY)
    assert [file for portion in portions for file in portion.files] == FILES_OF_A_REPOSITORY
    assert 0.6 < len(portions) / (5_000 / 64) < 1.5


def test_a_changed_file_changes_the_name_of_its_own_portion_only():
    edited = [file(old.path, "other") if old.path == "pkg050/file01510.py" else old for old in FILES_OF_A_REPOSITORY]
    assert differing(FILES_OF_A_REPOSITORY, edited) == 1


def test_a_new_file_changes_at_most_two_portions():
    added = sorted([*FILES_OF_A_REPOSITORY, file("pkg050/another.py")], key=lambda file: file.path)
    assert differing(FILES_OF_A_REPOSITORY, added) <= 2


def differing(before: list[ListedFile], after: list[ListedFile]) -> int:
    names = {portion.name for portion in portions_of(before)}
    return sum(portion.name not in names for portion in portions_of(after))


def test_a_portion_has_no_more_bytes_than_its_store_takes_at_once():
    portions = portions_of([file(f"big{number:03}.py", size=MOST_BYTES // 10) for number in range(100)])
    assert max(portion.size for portion in portions) <= MOST_BYTES + MOST_BYTES // 10


def test_hands_have_about_the_same_bytes_and_all_portions():
    portions = portions_of([file(old.path, size=10 + number % 900) for number, old in enumerate(FILES_OF_A_REPOSITORY)])
    hands = dealt(portions, 4)
    sizes = [sum(portion.size for portion in hand) for hand in hands]
    assert max(sizes) < 1.1 * min(sizes)
    assert sorted(portion.name for hand in hands for portion in hand) == sorted(portion.name for portion in portions)
    assert dealt([], 3) == [[], [], []]
