"""Runs the test suites of other projects and records which tests execute which functions: the truth that `execution` judges by.

A laboratory is a directory outside of every repository: for each project it has a virtual environment, and `truth.json`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import tests.bench.tracing.called_functions as plugin

SUITE_S: Final = 3600.0
INSTALL_S: Final = 1800.0
GROUPS: Final = ("tests", "test", "testing", "dev")  # of dependencies, as projects call what their tests need
# What some suites need that their projects do not list in a group or extra of these names.
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "httpx": (
        "-e",
        ".[brotli,cli,http2,socks,zstd]",
        "chardet",
        "cryptography",
        "pytest<9",
        "trio",
        "trustme",
        "uvicorn",
    ),
    "flask": ("-e", ".", "--group", "tests", "pytest<9"),
    "rich": ("-e", ".", "attrs"),
}
# Packages and settings of the suites that vitest runs; a package with a folder of the clone is linked there.
VITEST: Final[dict[str, dict[str, Any]]] = {
    "hono": {
        "packages": ["jsdom@22.1.0", "msw@2", "zod@3", "ws@8", "@hono/node-server", "esbuild", "oxc-parser"],
        "links": {},
        "settings": {
            "include": ["src/**/*.{test,spec}.{ts,tsx}"],
            "sources": ["src/**/*.{ts,tsx}"],
            "oxc": {"jsx": {"runtime": "automatic", "importSource": "./src/jsx"}},
        },
    },
    "zod": {
        "packages": [
            "@web-std/file",
            "semver",
            "recheck",
            "@seriousme/openapi-schema-validator@2.9.0",
            "zod3@npm:zod@3.24",
        ],
        "links": {"zod": "packages/zod"},
        "settings": {
            "include": ["packages/zod/src/**/*.test.ts"],
            "sources": ["packages/zod/src/**/*.ts"],
            "resolve": {"conditions": ["@zod/source", "default"]},
            "ssr": {
                "resolve": {"conditions": ["@zod/source", "default"], "externalConditions": ["@zod/source", "default"]}
            },
        },
    },
}
RUNNER: Final = ("vitest@4", "@vitest/coverage-istanbul@4", "typescript@5", "@jridgewell/trace-mapping")


class SuiteFailed(Exception):
    """A suite cannot be run here."""


def requirements(clone: Path) -> list[str]:
    """What pip has to install for the suite of a Python project."""
    if clone.name in NEEDS:
        return list(NEEDS[clone.name])
    path = clone / "pyproject.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for group in GROUPS:
        if group in listed.get("dependency-groups", {}):
            return ["-e", ".", "--group", group]
        if group in listed.get("project", {}).get("optional-dependencies", {}):
            return ["-e", f".[{group}]"]
    return ["-e", "."]


def environment(clone: Path, lab: Path, python: str) -> Path:
    """The Python of a virtual environment with the project and what its tests need, made on first use."""
    made = lab / clone.name / "venv" / "bin" / "python"
    if not made.exists():
        _run([python, "-m", "venv", str(made.parents[1])], clone, INSTALL_S)
        _run([str(made), "-m", "pip", "install", "-q", "-U", "pip"], clone, INSTALL_S)
        needed = ["pytest", "pytest-cov", *requirements(clone)]
        _run([str(made), "-m", "pip", "install", "-q", *needed], clone, INSTALL_S)
    return made


def record(clone: Path, lab: Path, python: str, options: Sequence[str] = ()) -> Path:
    """The file with the truth of a project, whose suite is run if there is none yet."""
    folder = lab / clone.name
    truth = folder / "truth.json"
    if truth.exists():
        return truth
    if clone.name in VITEST:
        return _record_vitest(clone, folder)
    made = environment(clone, lab, python)
    settings, covered, calls = folder / "coveragerc", folder / "coverage.db", folder / "calls.json"
    settings.write_text(f"[run]\nsource = {clone}\ndata_file = {covered}\n", encoding="utf-8")
    script = Path(plugin.__file__)
    arguments = [
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", script.stem, "-p", "no:xdist", "-p", "no:randomly"),
        "--continue-on-collection-errors",
        *(f"--cov={clone}", "--cov-context=test", f"--cov-config={settings}", "--cov-report=", *options),
    ]
    variables = {
        "PYTHONPATH": os.pathsep.join([str(script.parent), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TRACED_ROOT": str(clone),
        "TRACED_CALLS": str(calls),
        "COVERAGE_CORE": "ctrace",
    }
    with (folder / "suite.log").open("w", encoding="utf-8") as log:
        subprocess.run(
            [str(made), *arguments], cwd=clone, check=False, timeout=SUITE_S, stdout=log, stderr=log,
            env=os.environ | variables,
        )  # fmt: skip
    if not calls.exists():
        raise SuiteFailed(f"{clone.name}: the suite did not end; {folder / 'suite.log'} says why")
    _run([str(made), str(script), str(clone), str(calls), str(covered), str(truth)], clone, SUITE_S)
    if not load(truth)["executed"]:
        truth.unlink()
        raise SuiteFailed(f"{clone.name}: no test ran; {folder / 'suite.log'} says why")
    return truth


def _record_vitest(clone: Path, folder: Path) -> Path:
    recipe, modules, target = VITEST[clone.name], folder / "node_modules", folder / "executed"
    if not (modules / "vitest").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps"]
        _run(["npm", "install", *flags, *RUNNER, *recipe["packages"]], folder, INSTALL_S)
    for name, inside in recipe["links"].items():
        if not (modules / name).exists():
            (modules / name).symlink_to(clone / inside)
    shutil.rmtree(target, ignore_errors=True)  # of a run that did not end
    own = clone / "node_modules"
    if not own.exists():
        own.symlink_to(modules)
    variables = {
        "TRACED_ROOT": str(clone),
        "TRACED_TARGET": str(target),
        "TRACED_MODULES": str(folder),
        "TRACED_SETTINGS": json.dumps(recipe["settings"]),
    }
    configuration = Path(plugin.__file__).with_name("vitest.config.mjs")
    try:
        with (folder / "suite.log").open("w", encoding="utf-8") as log:
            subprocess.run(
                ["node", str(modules / "vitest" / "vitest.mjs"), "run", "--config", str(configuration)],
                cwd=clone, check=False, timeout=SUITE_S, stdout=log, stderr=log, env=os.environ | variables,
            )  # fmt: skip
    finally:
        own.unlink()
    files = sorted(target.glob("*.json"))
    if not files:
        raise SuiteFailed(f"{clone.name}: no test file ended; {folder / 'suite.log'} says why")
    found = of_files([json.loads(path.read_text(encoding="utf-8")) for path in files])
    (folder / "truth.json").write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")
    return folder / "truth.json"


def of_files(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The truth of a suite whose tests are files: which file executes which functions. Calls are not recorded."""
    numbers: dict[tuple[Any, ...], int] = {}
    executed: dict[int, set[int]] = {}
    for test, record in enumerate(records):
        for function in record["executed"]:
            executed.setdefault(numbers.setdefault(tuple(function), len(numbers)), set()).add(test)
    return {
        "functions": [list(function) for function in numbers],
        "tests": [[-1, record["test"], ""] for record in records],
        "executed": [[number, sorted(found)] for number, found in sorted(executed.items())],
        "calls": [],
    }


def load(path: Path) -> dict[str, Any]:
    """The recorded truth."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _run(command: Sequence[str], folder: Path, patience: float) -> None:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=patience, check=False, env=dict(os.environ)
    )
    if done.returncode:
        raise SuiteFailed(f"{' '.join(command[:4])}: {(done.stderr or done.stdout).strip()[-400:]}")
    print(done.stdout.strip()[-300:], file=sys.stderr)
