"""`doctor --fix` repairs what loses nothing, and every command that anything suggests is there."""

from __future__ import annotations

import argparse
import ast
import functools
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeagent_protocol
import codeagent_shim
import codeagentd
from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import FileLock
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.operations import doctor
from codeagentd.cli.doctor import checks, repairs
from codeagentd.cli.doctor.finding import FAIL, FIXED, OK, WARN, Finding
from codeagentd.cli.main import main, parser_of
from tests.harness.world import surrounded

SUGGESTED = re.compile(r"(?:^|`)codeagentd ([a-z]+(?: (?:--?)?[a-z]+)*)(?=`|$)")
MENTIONED = re.compile(r"(?:^|[`(])codeagentd ([a-z]+)\b([^`)]*)")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
COMMAND = re.compile(r"codeagentd(?![\w./-])")  # in source text; anything else names a package or a path
SOURCES = [
    path
    for package in (codeagentd, codeagent_protocol, codeagent_shim)
    for path in Path(str(package.__file__)).parent.rglob("*.py")
]


@functools.cache
def strings() -> list[str]:
    """Every text of the product that may name a command, with WORD for what is put into it at run time."""
    found = []
    for text in (path.read_text() for path in SOURCES):
        for node in ast.walk(ast.parse(text)) if COMMAND.search(text) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
            elif isinstance(node, ast.JoinedStr):
                found.append("".join(part.value if isinstance(part, ast.Constant) else "WORD" for part in node.values))
    return found


@functools.cache
def suggested() -> set[str]:
    return {found for text in strings() for found in SUGGESTED.findall(text)}


@functools.cache
def mentioned() -> set[tuple[str, str]]:
    """Commands with the options that are named with them, also where more words follow."""
    found = [(name, rest.partition("|")[0]) for text in strings() for name, rest in MENTIONED.findall(text)]
    return {(name, option) for name, rest in found for option in [*OPTION.findall(rest.partition(";")[0]), "--help"]}


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Those of a command and of what it does."""
    below = [
        one
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for one in action.choices.values()
    ]
    return set(parser._option_string_actions).union(*map(options, below))


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    (tmp_path / "repo/.git").mkdir(parents=True)
    with surrounded(str(tmp_path)):
        yield endpoint_of(tmp_path / "repo")


def left_by_the_dead(path: str) -> None:
    """A socket without a listener, with a relative address: the path of a test may be too long for one."""
    left = socket.socket(socket.AF_UNIX)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(path).parent)
        left.bind(Path(path).name)
    left.close()


def by_level(findings: list[Finding], level: str) -> list[str]:
    return [finding.subject for finding in findings if finding.level == level]


@pytest.mark.parametrize("command", sorted(suggested()))
def test_a_command_that_is_suggested_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *words = command.split()
    assert name in COMMANDS
    with pytest.raises(SystemExit) as ended:
        parser_of(name).parse_args([*words, "--help"])
    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "option"), sorted(mentioned()))
def test_a_command_that_is_mentioned_has_the_options_that_are_named_with_it(name: str, option: str) -> None:
    assert name in COMMANDS
    assert option in options(parser_of(name))


def test_suggestions_are_found_where_they_are_made() -> None:
    assert {"doctor --fix", "restart", "memory restore", "logs", "service install"} <= suggested()
    assert {("install", "--list"), ("memory", "--list")} <= mentioned()


def test_every_remedy_of_a_check_is_a_command_or_says_what_to_do() -> None:
    """What the doctor prints behind an arrow comes from the third text of a Finding: none is empty where something is wrong."""
    calls = [
        node
        for text in (path.read_text() for path in SOURCES)
        for node in (ast.walk(ast.parse(text)) if "Finding(" in text else ())
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding"
    ]
    wrong = [node for node in calls if node.args and getattr(node.args[0], "id", "") in ("WARN", "FAIL")]
    assert len(wrong) > 20
    assert [node.lineno for node in wrong if len(node.args) < 4] == []


def test_a_damaged_index_is_set_aside_and_kept(endpoint: Endpoint) -> None:
    index = Path(endpoint.index) / "index.db"
    index.parent.mkdir(parents=True)
    index.write_bytes(b"no database " * 1_000)
    findings = list(checks.index(endpoint))
    assert by_level(findings, FAIL) == ["index"]
    assert by_level(doctor.mended(findings), FIXED) == ["index"]
    assert index.with_name("index.db.corrupt").read_bytes().startswith(b"no database")
    assert by_level(list(checks.index(endpoint)), OK) == ["index"]


def test_an_index_that_a_daemon_uses_is_left_to_it(endpoint: Endpoint) -> None:
    index = Path(endpoint.index) / "index.db"
    index.parent.mkdir(parents=True)
    index.write_bytes(b"no database " * 1_000)
    daemon = FileLock(endpoint.life_lock)
    assert daemon.try_take()
    assert doctor.mended(list(checks.index(endpoint))) == []
    assert index.exists()
    daemon.release()


def test_sockets_of_the_dead_are_removed_and_those_of_the_living_stay(endpoint: Endpoint, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    dead, running_daemons = endpoint, endpoint_of(tmp_path / "other")
    for path in (dead.socket, dead.control, running_daemons.socket):
        left_by_the_dead(path)
    daemon = FileLock(running_daemons.life_lock)
    assert daemon.try_take()
    assert repairs.stale_sockets(dirs.runtime_path()) == [Path(dead.control), Path(dead.socket)]
    assert by_level(doctor.mended(list(checks.stale())), FIXED) == ["stale sockets"]
    assert [Path(path).exists() for path in (dead.socket, dead.control, running_daemons.socket)] == [False, False, True]
    assert Path(dead.life_lock).exists()
    daemon.release()


@pytest.mark.parametrize(
    ("told", "level", "text"),
    [
        (
            {"model": "", "state": "none", "reason": "no hub", "remedy": "set a path"},
            WARN,
            "none, so search is by words alone: no hub",
        ),
        ({"model": "", "state": "off"}, OK, "off (embedding.enabled), so search is by words alone"),
        ({"model": "minilm"}, OK, "minilm"),
        (
            {"model": "static", "reason": "no hub", "remedy": "set a path"},
            WARN,
            "static, in place of a sentence model: no hub",
        ),
    ],
)
def test_the_doctor_says_which_model_a_daemon_has_or_that_search_is_by_words_alone(
    endpoint: Endpoint, told: dict[str, str], level: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon = FileLock(endpoint.life_lock)
    assert daemon.try_take()
    monkeypatch.setattr(checks, "status_of", lambda _: {"state": "ready", "pid": 1, "embeddings": told})
    (finding,) = [one for one in checks.daemon(endpoint) if one.subject == "embedding model"]
    assert (finding.level, finding.text, finding.remedy) == (level, text, told.get("remedy", ""))
    daemon.release()


def test_the_doctor_ends_with_how_it_stands() -> None:
    good, bad, odd = Finding(OK, "a", ""), Finding(FAIL, "b", ""), Finding(WARN, "c", "")
    assert doctor.verdict([good, good]) == "all 2 checks are ok"
    assert doctor.verdict([good, bad, odd]).startswith("1 check fails, 1 warning; ")


def test_ports_of_the_dead_are_removed_and_those_that_others_can_read_are_told(endpoint: Endpoint) -> None:
    Path(endpoint.ports).write_text("ports and keys")
    Path(endpoint.ports).chmod(0o644)
    assert "is open to others" in next(
        finding.text for finding in checks.daemon(endpoint) if finding.subject == "socket"
    )
    assert repairs.stale_sockets(dirs.runtime_path()) == [Path(endpoint.ports)]
    doctor.mended(list(checks.stale()))
    assert not Path(endpoint.ports).exists()


@pytest.mark.skipif(not Path("/proc/net/unix").exists(), reason="who listens is known on Linux alone")
def test_a_socket_that_a_service_manager_listens_on_is_not_removed(endpoint: Endpoint) -> None:
    Path(endpoint.socket).parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as manager:
        manager.bind(endpoint.socket)
        manager.listen()
        assert repairs.stale_sockets(dirs.runtime_path()) == []
    assert repairs.stale_sockets(dirs.runtime_path()) == [Path(endpoint.socket)]


def test_a_socket_whose_daemon_has_begun_since_is_not_removed(endpoint: Endpoint) -> None:
    left_by_the_dead(endpoint.socket)
    (finding,) = checks.stale()
    daemon = FileLock(endpoint.life_lock)
    assert daemon.try_take()
    assert doctor.mended([finding]) == []
    assert Path(endpoint.socket).exists()
    daemon.release()


def test_a_folder_is_closed_and_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(tmp_path / "open")
    assert repairs.close(tmp_path / "link") == ""
    assert "0700" in repairs.close(tmp_path / "open")
    assert (tmp_path / "open").stat().st_mode & 0o777 == 0o700


def test_what_cannot_be_repaired_is_said_with_its_remedy() -> None:
    def refused() -> str:
        raise PermissionError(1, "Operation not permitted")

    (told,) = doctor.mended([Finding(FAIL, "index", "is damaged", "do it yourself", refused)])
    assert ("not permitted" in told.text, told.remedy) == (True, "do it yourself")


def test_the_command_says_what_it_has_repaired_and_how_it_stands_now(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(dirs.runtime_path()).chmod(0o755)
    left_by_the_dead(endpoint.socket)
    main(["doctor", "--fix", "--repo", endpoint.root])
    told = capsys.readouterr().out
    assert "is closed to others (0700)" in told
    assert "1 socket of daemons" in told
    assert "is open to others" not in told
