"""`codeagentd doctor`: checks everything that the daemon needs, and prints a remedy for each fault."""

from __future__ import annotations

import argparse
import json

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagentd.base.text import escaped
from codeagentd.cli.doctor import checks, client_checks, service_checks
from codeagentd.cli.doctor.finding import FAIL, FIXED, OK, WARN, Finding
from codeagentd.cli.rendering.client_edits import system
from codeagentd.cli.rendering.console import columns, count, fit, paint_for, plain
from codeagentd.cli.repository_arguments import add_json, add_repo, place_from
from codeagentd.clients.install import Scope

STYLES = {OK: "green", WARN: "yellow", FAIL: "red", FIXED: "green"}

EXAMPLES = """examples:
  codeagentd doctor
  codeagentd doctor --fix
  codeagentd doctor --json | jq '.[] | select(.level != "ok")'

It starts nothing. --fix closes what is open to others, sets a damaged index aside that no daemon uses, and removes \
sockets of daemons that are gone.
exit codes: 0 nothing fails, 1 something does"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired without loss, then look again")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the checks and print the findings. Returns the exit code: 1 when a check fails."""
    findings = examine(arguments)
    if arguments.fix and (fixed := mended(findings)):
        findings = fixed + examine(arguments)
    paint = paint_for(arguments)
    if arguments.json:
        print(escaped(json.dumps([finding.as_json() for finding in findings], ensure_ascii=False, indent=2)))
        return int(any(finding.level == FAIL for finding in findings))
    rows = [[paint(finding.level, STYLES[finding.level]), finding.subject, plain(finding.text)] for finding in findings]
    for finding, line in zip(findings, columns(rows, indent=0), strict=True):
        remedy = [f"      -> {plain(finding.remedy)}"] if finding.remedy and finding.level in (WARN, FAIL) else []
        print("\n".join(fit([line, *remedy])))
    print("\n".join(fit([verdict(findings)])))
    return int(any(finding.level == FAIL for finding in findings))


def verdict(findings: list[Finding]) -> str:
    """Return the overall verdict on `findings`, in one sentence."""
    failed, warned = (sum(finding.level == level for finding in findings) for level in (FAIL, WARN))
    if not failed and not warned:
        return f"all {len(findings)} checks are ok"
    return (
        f"{count(failed, 'check fails', 'checks fail')}, {count(warned, 'warning')}; what to do stands behind each ->"
    )


def examine(arguments: argparse.Namespace) -> list[Finding]:
    """Return all findings: of the machine first, then of the repository, if there is one."""
    findings = [
        *checks.environment(),
        *checks.directories(),
        *checks.local_sockets(),
        *checks.stale(),
        *checks.memory(),
    ]
    try:
        endpoint = place_from(arguments)
    except CodedError as error:
        return [
            *findings,
            *client_checks.examine([Scope(system())]),
            Finding(FAIL, "repository", error.message, error.remedy),
        ]
    return [
        *findings,
        *client_checks.examine([Scope(system()), Scope(system(), endpoint.root)]),
        *of_repository(endpoint),
    ]


def mended(findings: list[Finding]) -> list[Finding]:
    """Repair the faults among `findings` that can be repaired safely. Returns findings about the repairs and failed
    attempts.
    """
    fixed = []
    for finding in findings:
        if finding.mend is None:
            continue
        try:
            if done := finding.mend():
                fixed.append(Finding(FIXED, finding.subject, done))
        except OSError as error:
            fixed.append(Finding(WARN, finding.subject, f"not repaired: {error}", finding.remedy))
    return fixed


def of_repository(endpoint: Endpoint) -> list[Finding]:
    """Return the findings about the repository of `endpoint` and its daemon."""
    of_daemon = [*checks.settings(endpoint), *service_checks.examine(endpoint), *checks.daemon(endpoint)]
    return [*checks.repository(endpoint), *checks.watches(endpoint), *of_daemon, *checks.index(endpoint)]
