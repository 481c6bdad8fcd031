"""What the public repository runs for each change and release says what the project's own files say. `make workflows` lints its form."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in sorted(GITHUB.glob("workflows/*.yml"))}
JOBS = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]
ACTIONS = sorted(GITHUB.glob("actions/*/action.yml"))
TEXTS = [*sorted(GITHUB.glob("workflows/*.yml")), *ACTIONS]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINNED = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
OTHERS = {"audit", "release", "release-test"}
PUBLISHES = {"index", "npm", "container", "mcp-registry", "github"}


def steps(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from job["steps"]
    for step in job["steps"]:
        if (used := step.get("uses", "")).startswith("./"):
            yield from yaml.safe_load((ROOT / used / "action.yml").read_text())["runs"]["steps"]


def targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text()
    lint = re.search(r"^LINT := (.*)$", makefile, re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert lint
    assert phony
    return {*phony[1].split(), *lint[1].split(), ".venv/.installed"} - {"$(LINT)"}


def parts_of(part: str) -> set[str]:
    bench = (ROOT / "tests/bench/__main__.py").read_text()
    table = bench.split("PARTS:")[1].split("}")[0]
    return set(part.split(",")) - set(re.findall(r'"([\w-]+)":', table))


@pytest.mark.parametrize("path", TEXTS, ids=[path.parent.name + "/" + path.name for path in TEXTS])
def test_every_action_of_others_is_pinned_to_a_commit_with_its_version(path: Path) -> None:
    used = re.findall(r"uses: (\S+(?: # \S+)?)", path.read_text())
    assert used
    assert not [one for one in used if not one.startswith("./") and not PINNED.fullmatch(one)]


def test_an_action_has_one_version_everywhere() -> None:
    pins = {pin for path in TEXTS for pin in re.findall(r"uses: ([\w.-]+/[\w.-]+@\S+)", path.read_text())}
    assert len(pins) == len({pin.partition("@")[0] for pin in pins})


@pytest.mark.parametrize(("workflow", "job"), JOBS, ids=[f"{workflow}-{job}" for workflow, job in JOBS])
def test_a_step_runs_what_is_there(workflow: str, job: str) -> None:
    for step in steps(WORKFLOWS[workflow]["jobs"][job]):
        run = step.get("run", "")
        for target in re.findall(r"\bmake (?:--silent )?([\w./-]+)", run):
            assert target in targets() | OTHERS, run
        for named in re.findall(r"@(tests/\S+)", run):
            assert (ROOT / named).exists(), run
        for module in re.findall(r"-m (tests[\w.]+)", run):
            assert (ROOT / f"{module.replace('.', '/')}.py").exists(), run
        if chosen := re.search(r"--only (\S+)", run):
            assert not parts_of(chosen[1])


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_only_read_and_its_jobs_have_what_they_write_and_an_end(name: str) -> None:
    workflow = WORKFLOWS[name]
    assert workflow["permissions"] in ({}, {"contents": "read"})
    assert "group" in workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 120
        assert not [
            step for step in job["steps"] if "checkout@" in step.get("uses", "") and step["with"]["persist-credentials"]
        ]


def test_tests_run_on_every_version_and_system_that_the_package_names() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    versions = [
        found[1] for one in classifiers if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    ]
    jobs = WORKFLOWS["ci"]["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == jobs["windows"]["strategy"]["matrix"]["python"] == versions
    after = int(versions[-1].removeprefix("3.")) + 1
    assert PROJECT["project"]["requires-python"] == f">={versions[0]},<3.{after}"
    systems = {one.rpartition(" :: ")[2].lower() for one in classifiers if one.startswith("Operating System")}
    assert systems == {
        system.partition("-")[0].replace("ubuntu", "linux") for system in jobs["test"]["strategy"]["matrix"]["system"]
    }


def test_what_is_published_was_built_twice_tested_and_attested_and_waits_for_a_person() -> None:
    jobs = WORKFLOWS["release"]["jobs"]

    def before(job: str) -> set[str]:
        needs = jobs[job].get("needs", [])
        return {name for need in ([needs] if isinstance(needs, str) else needs) for name in {need, *before(need)}}

    assert {name for name, job in jobs.items() if "environment" in job} == PUBLISHES
    assert len({jobs[name]["environment"] for name in PUBLISHES}) == len(PUBLISHES)
    for name in PUBLISHES:
        assert before(name) >= {"build", "compare", "test", "attest"}, name
    assert not [
        name
        for name, job in jobs.items()
        if "write" in job["permissions"].values() and name not in PUBLISHES | {"attest"}
    ]


def test_a_release_takes_nothing_from_a_cache_and_no_secret() -> None:
    text = (GITHUB / "workflows/release.yml").read_text()
    assert text.count("./.github/actions/python") == text.count('cache: ""')
    assert "secrets." not in text


def test_the_tests_of_windows_are_there_and_those_that_cannot_be_are_named() -> None:
    from tests import conftest

    arguments = (ROOT / "tests/windows.txt").read_text().split()
    assert not [path for path in arguments if path.startswith("tests/") and not (ROOT / path).exists()]
    assert not [path for path in conftest.OF_POSIX if not (ROOT / "tests" / path).exists()]
