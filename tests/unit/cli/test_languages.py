"""`codeagentd languages`: what is supported, from the data and the cases."""

from __future__ import annotations

import json

import pytest

from codeagentd.cli.commands.languages import HEADING
from codeagentd.cli.main import main
from codeagentd.languages.language import languages
from codeagentd.languages.support import Support, rows, support


def of(name: str) -> Support:
    return next(entry for entry in support() if entry.language == name)


def test_every_language_has_a_line(capsys: pytest.CaptureFixture[str]):
    assert main(["languages", "--no-color"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.split() == list(HEADING)
    assert [line.split()[0] for line in lines[: lines.index("")]] == list(languages())
    assert all(len(line) <= 100 for line in lines), "no line is torn on a terminal of 100 columns"


def test_the_table_says_what_each_language_has(capsys: pytest.CaptureFixture[str]):
    assert main(["languages", "--no-color"]) == 0
    cells = {line.split()[0]: line.split()[1:5] for line in capsys.readouterr().out.splitlines() if line}
    assert cells["python"] == ["yes", "yes", "yes", "yes"]
    assert cells["toml"] == ["yes", "-", "-", "-"]
    assert cells["vue"][2] == "parts"


def test_machines_get_kinds_and_rules_too(capsys: pytest.CaptureFixture[str]):
    assert main(["languages", "--json"]) == 0
    found = {entry["language"]: entry for entry in json.loads(capsys.readouterr().out)["languages"]}
    assert found["markdown"]["parts"] == "fences"
    assert found["python"]["proof"]["definitions"] > 0


def test_kinds_are_those_that_the_queries_capture():
    assert {"class", "function", "method"} & set(of("python").definitions) == {"class", "function"}
    assert of("markdown").definitions == ("section",)
    assert "inherit" in of("csharp").references
    assert of("vue").definitions == ("component",)


def test_what_a_language_does_not_have_is_no_zero():
    cells = {row[0]: row[2:] for row in rows()}
    assert cells["toml"][1:4] == ["-", "-", "-"]


@pytest.mark.parametrize("name", [name for name in languages() if name not in ("c", "cpp")])
def test_every_language_has_cases(name: str):
    assert of(name).proof.cases
