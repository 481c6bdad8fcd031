"""`codeagentd doctor`: is everything that the daemon needs there, and if not, what is to be done?"""

from __future__ import annotations

import argparse
import json

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError
from codeagentd.cli import client_health, health
from codeagentd.cli.client_view import system
from codeagentd.cli.console import columns, paint_for
from codeagentd.cli.findings import FAIL, OK, WARN, Finding
from codeagentd.cli.place import add_json, add_repo, endpoint_from
from codeagentd.clients.installing import Scope

STYLES = {OK: "green", WARN: "yellow", FAIL: "red"}

EXAMPLES = """examples:
  codeagentd doctor
  codeagentd doctor --json | jq '.[] | select(.level != "ok")'

It starts nothing and repairs nothing. exit codes: 0 nothing fails, 1 something does"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine and print; exit 1 when a check fails."""
    findings = examine(arguments)
    paint = paint_for(arguments)
    if arguments.json:
        print(json.dumps([finding.as_json() for finding in findings], ensure_ascii=False, indent=2))
        return int(any(finding.level == FAIL for finding in findings))
    rows = [[paint(finding.level, STYLES[finding.level]), finding.subject, finding.text] for finding in findings]
    for finding, line in zip(findings, columns(rows, indent=0), strict=True):
        print(line)
        if finding.remedy and finding.level != OK:
            print(f"      -> {finding.remedy}")
    return int(any(finding.level == FAIL for finding in findings))


def examine(arguments: argparse.Namespace) -> list[Finding]:
    """Every finding: of the machine first, then of the repository when there is one."""
    findings = [*health.environment(), *health.directories(), *health.local_sockets(), *health.memory()]
    try:
        endpoint = endpoint_from(arguments)
    except CodedError as error:
        return [*findings, *client_health.examine([Scope(system())]), Finding(FAIL, "repository", error.message, error.remedy)]
    return [*findings, *client_health.examine([Scope(system()), Scope(system(), endpoint.root)]), *of_repository(endpoint)]


def of_repository(endpoint: Endpoint) -> list[Finding]:
    """What concerns one repository and its daemon."""
    return [*health.repository(endpoint), *health.watches(endpoint), *health.settings(endpoint), *health.daemon(endpoint), *health.index(endpoint)]
