"""`codeagentd status` in every situation that a daemon or its remains can be in: right, at once, with a remedy, and nothing is started by asking."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.harness import absent_daemons, busy_daemons, damaged_indexes
from tests.harness.staging import Situation
from tests.harness.world import Outcome, World

LONGEST_S = 20.0  # a second is usual; the machine may be busy with other tests, and who waits for a daemon waits longer
SITUATIONS = [*absent_daemons.SITUATIONS, *busy_daemons.SITUATIONS, *damaged_indexes.SITUATIONS]
ROWS = [pytest.param(one, id=one.sentence, marks=pytest.mark.long if one.is_long else ()) for one in SITUATIONS]


def asked(world: World, repo: Path, *flags: str) -> Outcome:
    """One answer, within the deadline and in good order."""
    began = time.monotonic()
    told = world.codeagentd("status", "--repo", str(repo), *flags)
    assert time.monotonic() - began < LONGEST_S
    assert "Traceback" not in told.err
    return told


def differences(situation: Situation, code: int, fields: dict[str, Any]) -> list[str]:
    """In what the answer is not what it has to be."""
    found = [
        f"{name}: {fields.get(name)}"
        for name in ("reason", "remedy")
        if not fits(getattr(situation, name), str(fields.get(name, "")))
    ]
    found += [
        f"{name}: {fields.get(name)}"
        for name, said in situation.fields.items()
        if not re.search(said, text_of(fields.get(name)))
    ]
    if (code, fields["state"]) != (situation.code, situation.state):
        found.append(f"{fields['state']}, exit code {code}")
    return found


def fits(said: str, text: str) -> bool:
    return bool(re.search(said, text)) if said else not text


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def told_of(outcome: Outcome, situation: Situation) -> dict[str, Any]:
    """The fields; of all daemons, those of the one in that state."""
    found = outcome.json
    if isinstance(found, dict):
        return found
    return next((one for one in found if one["state"] == situation.state), found[0])


@pytest.mark.parametrize("situation", ROWS)
@pytest.mark.limit(120)
def test_status_is_right_when(world: World, situation: Situation) -> None:
    with situation.staged(world) as repo:
        deadline = time.monotonic() + situation.comes_s
        while found := differences(
            situation, (outcome := asked(world, repo, "--json", *situation.flags)).code, told_of(outcome, situation)
        ):
            assert time.monotonic() < deadline, (found, outcome)
        shown = asked(world, repo, *situation.flags)
        assert shown.code == situation.code
        for said in filter(
            None, (situation.reason, situation.remedy, situation.shown, situation.state.replace("_", " "))
        ):
            assert re.search(said, shown.out), (said, shown.out)
        if situation.state == "not_running":
            assert world.processes() == set()


REFUSED = [
    ("the home directory", "~", "a home directory|a system directory"),
    ("the root of the file system", "/", "the root of a file system"),
    ("a folder that is not there", "nowhere", "is no directory"),
]
BARRED = [
    ("a file", "file", "cannot be used"),
    ("a place that nobody can write", "/proc/nobody/here", "cannot be used"),
    ("a directory with too long a name", "long" * 30, "longer than 100 bytes"),
]


@pytest.mark.parametrize(("place", "said"), [pytest.param(*rest, id=sentence) for sentence, *rest in REFUSED])
def test_status_refuses_with_what_to_do(world: World, place: str, said: str) -> None:
    told = asked(world, world.base / os.path.expanduser(place))
    assert told.code == 2
    assert re.search(f"^error: .*({said}).*--repo", told.err), told.err


@pytest.mark.parametrize(("runtime", "said"), [pytest.param(*rest, id=sentence) for sentence, *rest in BARRED])
def test_status_says_so_where_the_runtime_directory_is(world: World, runtime: str, said: str) -> None:
    repo = world.repository("shop", {"a.py": "x = 1\n"})
    (world.base / "file").write_text("")
    world.environment["CODEAGENT_RUNTIME_DIR"] = str(world.base / runtime)
    told = asked(world, repo, "--json")
    assert (told.code, told.json["state"]) == (3, "not_running")
    assert said in told.json["reason"]
    assert "runtime directory" in told.json["remedy"]


def test_status_of_all_says_when_nobody_can_look(world: World) -> None:
    (world.base / "file").write_text("")
    told = world.codeagentd("status", "--all", CODEAGENT_RUNTIME_DIR=str(world.base / "file"))
    assert told.code == 1
    assert re.fullmatch(r"error: .* cannot be used: .*CODEAGENT_RUNTIME_DIR.*\n", told.err), told.err


def test_status_outside_of_a_repository_says_what_to_do(world: World) -> None:
    told = world.codeagentd("status", cwd=world.base)
    assert told.code == 2
    assert "--repo" in told.err
    assert "Traceback" not in told.err


def test_there_are_enough_situations() -> None:
    assert len(SITUATIONS) + len(REFUSED) + len(BARRED) >= 50
    assert len({one.sentence for one in SITUATIONS}) == len(SITUATIONS)
