"""`codeagentd uninstall`: removes this server and its language server from the configurations of clients."""

from __future__ import annotations

import argparse

from codeagentd.cli.rendering.client_edits import Edit, add_scope, each, scope_of
from codeagentd.clients.catalogue import Client
from codeagentd.clients.config_editor import LEFT, UNCHANGED, Outcome
from codeagentd.clients.install import BY_HAND, Scope, uninstall

EXAMPLES = """examples:
  codeagentd uninstall claude-code
  codeagentd uninstall cursor --project --dry-run

Entries, hook, block of instructions and skill go. A file that nobody has changed since is to the byte what it was, \
and a file that was made is removed;
else only what is ours is taken out, after a copy was made, and a skill that somebody changed is left. exit codes: \
0 fine, 1 a file was refused"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments and options."""
    parser.add_argument("clients", metavar="CLIENT", nargs="+", help="as for `codeagentd install`")
    parser.add_argument("--repo", metavar="PATH", help="with --project, the project")
    add_scope(parser)


def run(arguments: argparse.Namespace) -> int:
    """Uninstall, and print the result for each file. Returns the exit code."""
    return each(arguments, edit_for(scope_of(arguments), dry_run=arguments.dry_run))


def edit_for(scope: Scope, *, dry_run: bool) -> Edit:
    """Return the function that uninstalls for one client. It returns the outcomes and the notes for the user."""

    def edit(of: Client) -> tuple[list[Outcome], list[str]]:
        outcomes = uninstall(of, scope, dry_run=dry_run)
        notes = [
            f"{outcome.path} was changed since it was installed, or is not ours: remove it yourself if nobody wants it"
            for outcome in outcomes
            if outcome.done == LEFT
        ]
        if outcomes[0].done == BY_HAND:
            notes.append("nothing was written for it: remove what you added by hand")
        return [outcome for outcome in outcomes if outcome.done != UNCHANGED] or outcomes[:1], notes

    return edit
