"""The status as people read it, from daemons of any version."""

from __future__ import annotations

import json
import time

import msgspec

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.status import (
    Coverage,
    EmbeddingStatus,
    LanguageStatus,
    Progress,
    Status,
    UnreadFile,
    WindowStatus,
    percent,
)
from codeagentd.cli.commands.operations import status
from codeagentd.cli.daemon_client.daemon_status import exit_code, typed
from codeagentd.cli.main import main
from codeagentd.cli.rendering import tool_answers
from codeagentd.cli.rendering.console import Paint
from codeagentd.cli.rendering.status_text import render, row
from tests.harness.documents import SAMPLE, SAMPLE_NOW
from tests.harness.waiting import let_pass

PLAIN = Paint(on=False)


def shown(**changes: object) -> str:
    return "\n".join(render(msgspec.structs.replace(SAMPLE, **changes), PLAIN, SAMPLE_NOW))


def test_a_daemon_that_is_behind_says_how_far_it_is():
    text = shown(caught_up=False, pending_files=120, progress=Progress("extract", 80, 200))
    assert "behind: 120 files pending; extract 80 of 200" in text


def test_vectors_that_are_limited_are_told_with_the_way_to_get_more():
    embeddings = EmbeddingStatus("mini", 12_000, 38_000, "ready", budget=50_000, eligible=4_100_000)
    line = next(line for line in shown(embeddings=embeddings).splitlines() if "embeddings" in line)
    assert "mini: 12,000 of 4,100,000 symbols, 38,000 pending" in line
    assert "only the 50,000 most referenced" in line
    assert "codeagentd index --embed N" in line


def test_vectors_of_every_symbol_are_told_by_their_number():
    embeddings = EmbeddingStatus("mini", 12_000, 0, "ready", budget=50_000, eligible=12_000)
    line = next(line for line in shown(embeddings=embeddings).splitlines() if "embeddings" in line)
    assert line.split() == ["embeddings", "mini:", "12,000"]


def test_a_model_that_stands_in_for_the_chosen_one_is_told_with_the_reason_and_the_remedy():
    embeddings = EmbeddingStatus(
        "static-minilm", 12_000, 0, "ready", reason="MiniLM is not here", remedy="set embedding.model_path"
    )
    line = next(line for line in shown(embeddings=embeddings).splitlines() if "embeddings" in line)
    shown_model = "static-minilm: 12,000; in place of a sentence model: MiniLM is not here; set embedding.model_path"
    assert shown_model in line


def test_status_and_stats_tell_the_same_share_of_settled_references_and_never_round_it_up():
    references = Coverage(resolved=979_999, unbound=20_001)
    status_line = next(
        line
        for line in shown(languages=(LanguageStatus("python", 1, 1, references=references),)).splitlines()
        if "python" in line
    )
    told = {
        "language": "python",
        "files": 1,
        "symbols": 1,
        "references": references.total,
        "settled": references.settled,
    }
    index = {"exists": True, "stale": False, "built_at": "", "files_changed_since_build": 0}
    answer = {
        "files": 1,
        "symbols": 1,
        "generation": 1,
        "database_bytes": 1,
        "edges": {},
        "languages": [told],
        "index": index,
    }
    assert "97%" in status_line
    assert any("97% of" in line for line in tool_answers.stats(answer, PLAIN, tool_answers.Place("/")))


def test_each_whole_per_cent_is_kept_and_only_all_is_a_hundred():
    assert [percent(Coverage(resolved=part, unbound=100 - part).settled) for part in range(101)] == list(range(101))
    assert percent(Coverage(resolved=99_999, unbound=1).settled) == 99


def test_a_degraded_daemon_says_why_and_what_to_do():
    lines = render(
        msgspec.structs.replace(SAMPLE, state="degraded", reason="disk full", remedy="make room"), PLAIN, SAMPLE_NOW
    )
    assert lines[1:3] == ["  why     disk full", "  remedy  make room"]


def test_files_that_are_not_read_are_named_with_the_reason_up_to_a_few():
    text = shown(unread_files=tuple(UnreadFile(f"f{number}.py", "took longer than 20 s") for number in range(8)))
    assert "f0.py (took longer than 20 s), f1.py" in text
    assert "f4.py (took longer than 20 s) and 3 more (--json)" in text


def test_an_older_daemon_names_the_files_that_failed():
    assert "f0.py (failed), f1.py (failed)" in shown(failed_files=("f0.py", "f1.py"))


def test_files_whose_text_is_withheld_are_counted_with_the_reason():
    text = shown(withheld_files=2)
    assert "withheld    text of 2 files: it could not be searched for keys (`codeagentd logs`)" in text
    assert "withheld" not in shown()


def test_unknown_files_are_told_by_extension_the_rest_in_one_number():
    text = shown(unknown={f".x{number}": 20 - number for number in range(10)} | {"": 3})
    assert "unknown     20 .x0, 19 .x1" in text
    assert "13 .x7 and 26 of 3 other kinds" in text
    assert "1 without extension" in shown()
    assert "unknown" not in shown(unknown={})


def test_workers_are_counted_with_their_memory():
    assert "92.3 MB, and 2 workers with 60.0 MB" in shown(workers=2, worker_rss_bytes=60_000_000)


def test_care_for_the_machine_shows_where_there_is_any():
    assert "background" not in shown()
    text = shown(background="the machine runs on battery", previous="its process had 1200 MB for a minute")
    assert "background  paused: the machine runs on battery" in text
    assert "before      its process had 1200 MB for a minute" in text


def test_a_daemon_of_another_version_can_be_read():
    told = typed({"state": "ready", "indexed_files": 3, "repo": "/x", "field_of_the_future": [1]})
    text = "\n".join(render(told, PLAIN, 0.0))
    assert "ready" in text
    assert "language" not in text


def test_without_a_daemon_there_is_one_line():
    assert render(Status(state="not_running", repo="/x"), PLAIN, 0.0) == ["codeagentd: not running  /x"]


def test_a_client_name_cannot_drive_the_terminal():
    assert "\x1b" not in shown(windows=(WindowStatus(client="\x1b[2J"),))


def test_all_daemons_fit_one_line_each():
    assert row(SAMPLE) == ["4711", "ready", "yes", "1,216", "2", "92.3 MB", "/home/ada/src/shop"]


def test_silent_daemons_do_not_add_up(monkeypatch, capsys):
    def silent(endpoint):
        let_pass(0.2, "of a daemon that does not answer")
        return {"state": "not_answering", "repo": endpoint.name}

    monkeypatch.setattr(status, "running_daemons", lambda: [Endpoint("", f"d{number}", "/run") for number in range(30)])
    monkeypatch.setattr(status, "status_of", silent)
    started = time.monotonic()
    assert main(["status", "--all", "--json"]) == 4
    assert time.monotonic() - started < 3
    assert [fields["repo"] for fields in json.loads(capsys.readouterr().out)] == [f"d{number}" for number in range(30)]


def test_exit_codes_tell_states_apart():
    states = ("ready", "indexing", "starting", "degraded", "draining", "not_running", "not_answering")
    assert [exit_code({"state": state}) for state in states] == [0, 0, 0, 1, 1, 3, 4]
