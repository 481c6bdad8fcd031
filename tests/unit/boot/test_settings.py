"""Settings and their sources."""

from __future__ import annotations

import json
import os

import pytest

from codeagentd.boot.settings import KEYS, MAX_CONFIG_BYTES, Settings, in_force, load
from tests.harness.other_users import give, only_root


@pytest.fixture
def user_file(tmp_path, monkeypatch):
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setenv("CODEAGENT_CONFIG_DIR", str(folder))
    return folder / "config.json"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "repo" / ".codeagent").mkdir(parents=True)
    return tmp_path / "repo"


@pytest.fixture
def repository_file(root):
    return root / ".codeagent" / "config.json"


def loaded(root, user_file, variables=None, flags=None):
    return load(str(root), variables or {}, flags)


def test_without_any_source_the_defaults_are_in_force(root, user_file):
    found = loaded(root, user_file)
    assert found.settings == Settings()
    assert (found.origins, found.problems) == ({}, ())


def test_every_key_can_be_shown(root, user_file):
    assert set(in_force(loaded(root, user_file).settings)) == set(KEYS)


def test_the_stronger_source_wins_and_each_key_knows_its_own(root, user_file, repository_file):
    user_file.write_text(
        json.dumps(
            {"ignore": ["a"], "languages": ["python"], "idle_exit_s": 1, "log_level": "debug", "limits": {"workers": 3}}
        )
    )
    repository_file.write_text(json.dumps({"ignore": ["b"]}))
    found = loaded(
        root,
        user_file,
        {"CODEAGENT_IDLE_EXIT_S": "2", "CODEAGENT_LANGUAGES": "csharp, python"},
        {"idle_exit_s": 3.0, "log_level": None},
    )
    settings = found.settings
    assert (settings.ignore, settings.languages, settings.idle_exit_s, settings.log_level) == (
        ("b",),
        ("csharp", "python"),
        3.0,
        "debug",
    )
    assert settings.limits.workers == 3
    assert settings.limits.max_file_bytes == Settings().limits.max_file_bytes
    assert found.origins == {
        "ignore": str(repository_file),
        "languages": "CODEAGENT_LANGUAGES",
        "idle_exit_s": "command line",
        "log_level": str(user_file),
        "limits.workers": str(user_file),
    }


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("CODEAGENT_WORKERS", "4", "limits.workers", 4),
        ("CODEAGENT_EMBEDDING", "false", "embedding.enabled", False),
        ("CODEAGENT_QUERY_LOG", "/var/log/q.jsonl", "query_log", "/var/log/q.jsonl"),
        ("CODEAGENT_QUERY_LOG_DISABLE", "1", "query_log_disable", True),
        ("CODEAGENT_MODEL_PATH", "/models/x", "embedding.model_path", "/models/x"),
        ("CODEAGENT_EXTRACT_DEADLINE_S", "2.5", "limits.extract_deadline_s", 2.5),
        ("CODEAGENT_LOG_LEVEL", " debug ", "log_level", "debug"),
        ("CODEAGENT_LOG_LEVEL", "", "log_level", "info"),
    ],
)
def test_variables_are_read_as_what_they_stand_for(root, user_file, variable, text, key, value):
    found = loaded(root, user_file, {variable: text, "CODEAGENT_SOMETHING_ELSE": "x"})
    assert in_force(found.settings)[key] == value
    assert found.problems == ()


def test_a_byte_order_mark_does_no_harm(root, user_file):
    user_file.write_bytes(b"\xef\xbb\xbf" + b'{"log_level": "error"}')
    assert loaded(root, user_file).settings.log_level == "error"


BAD = {
    "a syntax error": ('{"ignore": [\n  "a",,\n]}', "line 2, column 7", "JSON"),
    "no object": ("[1]", "JSON object", "{"),
    "nothing": ("", "line 1, column 1", "JSON"),
    "an unknown key": ('{"idle_exit": 5}', "'idle_exit'", "idle_exit_s"),
    "an unknown key in a group": ('{"limits": {"worker": 5}}', "'limits.worker'", "limits.workers"),
    "an unknown group": ('{"server": {"port": 1}}', "'server'", "ignore"),
    "a value in the place of a group": ('{"limits": 5}', "'limits'", "limits.workers"),
    "a wrong type": ('{"limits": {"workers": "two"}}', "'limits.workers'", "1 to 64"),
    "a value out of range": ('{"limits": {"workers": 65}}', "'limits.workers'", "1 to 64"),
    "a number that is none": ('{"idle_exit_s": NaN}', "'idle_exit_s'", "seconds"),
    "a wrong word": ('{"log_level": "loud"}', "'log_level'", "debug, info"),
    "an empty pattern": ('{"ignore": [""]}', "'ignore'", "patterns"),
    "deep nesting": ("[" * 100_000, "JSON", "object"),
    "too much": (" " * MAX_CONFIG_BYTES + "{}", str(MAX_CONFIG_BYTES), "shorten"),
}


@pytest.mark.parametrize(("text", "said", "remedy"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("is_users", [True, False])
def test_a_file_with_a_mistake_is_left_out_and_the_mistake_told(
    root, user_file, repository_file, text, said, remedy, is_users
):
    place = user_file if is_users else repository_file
    place.write_text(text)
    found = loaded(root, user_file, {"CODEAGENT_WORKERS": "5"})
    (problem,) = found.problems
    assert problem.source == str(place)
    assert said in problem.message
    assert remedy in problem.remedy or not is_users
    assert found.settings.limits.workers == 5


@pytest.mark.parametrize("key", [name for name, key in KEYS.items() if not key.repository_may])
def test_a_repository_may_not_choose_what_runs_binds_or_points_elsewhere(root, user_file, repository_file, key):
    group, _, leaf = key.rpartition(".")
    value = in_force(Settings())[key]
    repository_file.write_text(json.dumps({"ignore": ["x"]} | ({group: {leaf: value}} if group else {leaf: value})))
    found = loaded(root, user_file)
    (problem,) = found.problems
    assert f"{key!r} may not be set by a repository" in problem.message
    assert "ignore, languages, toolsets" in problem.remedy
    assert found.settings == Settings()


def test_a_repository_may_choose_ignores_languages_and_toolsets(root, user_file, repository_file):
    repository_file.write_text('{"ignore": ["*.gen.py"], "languages": ["python"], "toolsets": "symbols,files"}')
    settings = loaded(root, user_file).settings
    assert (settings.ignore, settings.languages, settings.toolsets) == (("*.gen.py",), ("python",), "symbols,files")


def test_a_planted_fifo_hangs_nobody(root, user_file, repository_file):
    os.mkfifo(repository_file)
    (problem,) = loaded(root, user_file).problems
    assert "regular file" in problem.message


def test_a_link_is_not_followed(root, user_file, repository_file, tmp_path):
    (tmp_path / "elsewhere.json").write_text('{"ignore": ["x"]}')
    repository_file.symlink_to(tmp_path / "elsewhere.json")
    found = loaded(root, user_file)
    assert len(found.problems) == 1
    assert found.settings.ignore == ()


def test_a_users_file_that_others_can_write_is_left_out_and_told(root, user_file):
    user_file.write_text('{"http": "0.0.0.0:80", "insecure": true}')
    user_file.chmod(0o666)
    found = loaded(root, user_file)
    assert (found.settings, [problem.source for problem in found.problems]) == (Settings(), [str(user_file)])
    assert "can be written by other users (mode 0666)" in found.problems[0].message
    assert f"`chmod go-w {user_file}`" in found.problems[0].remedy
    user_file.chmod(0o600)
    assert loaded(root, user_file).settings.insecure


@only_root
def test_a_users_file_of_another_user_is_left_out_and_told(root, user_file):
    user_file.write_text('{"offline": true}')
    for given in (user_file, user_file.parent):
        give(given)
        (problem,) = loaded(root, user_file).problems
        assert f"{given} belongs to another user (uid 4001)" in problem.message
        give(given, 0)
    assert loaded(root, user_file).settings.offline


def test_bytes_that_are_no_text_are_told(root, user_file):
    user_file.write_bytes(b'{"a": "\xff"}')
    (problem,) = loaded(root, user_file).problems
    assert "UTF-8" in problem.message


@pytest.mark.parametrize(
    ("variable", "text"),
    [("CODEAGENT_WORKERS", "many"), ("CODEAGENT_EMBEDDING", "perhaps"), ("CODEAGENT_LOG_LEVEL", "LOUD")],
)
def test_a_variable_with_a_mistake_is_left_out(root, user_file, variable, text):
    found = loaded(root, user_file, {variable: text, "CODEAGENT_IDLE_EXIT_S": "5"})
    (problem,) = found.problems
    assert (problem.source, found.settings.idle_exit_s) == (variable, 5.0)
