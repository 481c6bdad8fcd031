"""`codeagentd languages`: what is supported, from the data and the cases."""

from __future__ import annotations

import json

import pytest

from codeagentd.cli.commands.languages import HEADING
from codeagentd.cli.main import main
from codeagentd.languages.language import GENERIC, languages
from codeagentd.languages.measured import Measured
from codeagentd.languages.support import Support, rows, support


def of(name: str) -> Support:
    return next(entry for entry in support() if entry.language == name)


def test_every_language_has_a_line(capsys: pytest.CaptureFixture[str]):
    assert main(["languages", "--no-color"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first.split() == list(HEADING)
    shown = [name for name, language in languages().items() if language.tier != GENERIC]
    assert [line.split()[0] for line in lines[: lines.index("")]] == shown
    rest = " ".join(lines[lines.index("") :]).replace(",", " ").split()
    assert [name for name, language in languages().items() if language.tier == GENERIC and name not in rest] == []


def test_the_page_fits_a_terminal_of_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in ([], ["python"], ["nim"], ["ruby"]):
        assert main(["languages", "--no-color", *words]) == 0
        assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 80


def test_a_word_tells_about_one_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["languages", "nim", "--no-color"]) == 0
    facts = dict(line.split(None, 1) for line in capsys.readouterr().out.splitlines())
    assert facts["tier"] == "generic"
    assert facts["uses"] == "by name"
    assert main(["languages", ".PY", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["languages"]
    assert entry["language"] == "python"
    assert main(["languages", "pyhton"]) != 0
    assert "did you mean 'python'" in capsys.readouterr().err


def test_what_was_measured_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"go": Measured("ctags 5.9", ("gin-gonic/gin@1",), 0.973, 0.9)}
    monkeypatch.setattr("codeagentd.languages.support.measured", lambda: figures)
    assert main(["languages", "--no-color"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("go "))
    assert ".97 .90" in line
    assert main(["languages", "go", "--no-color"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "definitions .97, references .90, against ctags 5.9, in gin-gonic/gin@1" in told


def test_the_table_says_what_each_language_has(capsys: pytest.CaptureFixture[str]):
    assert main(["languages", "--no-color"]) == 0
    cells = {line.split()[0]: line.split()[2:6] for line in capsys.readouterr().out.splitlines() if line}
    assert cells["python"] == ["d", "u", "i", "m"]
    assert cells["toml"] == ["d", "-", "-", "-"]
    assert cells["vue"][2] == "p"


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
    cells = {row[0]: row[3:] for row in rows()}
    assert cells["toml"][1:4] == ["-", "-", "-"]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, language in languages().items()
        if name not in ("c", "cpp", "ocaml_interface") and language.tier != GENERIC
    ],
)
def test_every_language_has_cases(name: str):
    assert of(name).proof.cases
