"""`codeagentd serve`: one HTTP server for all repositories in a folder, and the users of it."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path

from codeagent_protocol import dirs
from codeagent_protocol.errors import InvalidParameter
from codeagentd.cli.repository_arguments import add_json
from codeagentd.serve.http.address import address, listening, permitted
from codeagentd.serve.repositories.users import Entry

USERS = "users"
KEEP_BYTES = 20_000_000_000
FILE = "users.jsonl"
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
VERBS = ("add", "list", "remove")

EXAMPLES = """examples:
  codeagentd serve /srv/git --http 127.0.0.1:8765          MCP at /r/NAME/mcp and /r/NAME@REVISION/mcp
  codeagentd serve users add ann --repositories 'team/*'   print a new key, once
  codeagentd serve users list
  codeagentd serve users remove ann                        her sessions end within seconds
  codeagentd serve /srv/git --http 0.0.0.0:8765 --http-host code.example

A repository is a folder with .git in it, or a bare one (NAME.git), in FOLDER or one level below it (GROUP/NAME). \
Nothing is written into it, and nothing of it is run. Without users only this machine can be listened to."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "words", nargs="*", metavar="FOLDER", help="the folder with the repositories (default: the current one); or: "
        "users add NAME, users list, users remove NAME",
    )  # fmt: skip
    parser.add_argument("--http", metavar="ADDRESS", default="127.0.0.1:8765", help="where to listen (%(default)s)")
    parser.add_argument(
        "--http-host", metavar="NAME", action="append", help="a name by which clients may call this machine"
    )
    parser.add_argument("--users", metavar="FILE", help=f"the file of users (default: {FILE} beside config.json)")
    parser.add_argument(
        "--keep-bytes", metavar="N", type=size, default=KEEP_BYTES,
        help="the room for indexes on the disk, such as 50G; those not used for the longest time go first (20G)",
    )  # fmt: skip
    parser.add_argument(
        "--repositories", metavar="PATTERN", action="append",
        help="for users add: the repositories that the user may see, such as 'team/*' (default: all); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--expires", metavar="DAY", default="", help="for users add: the day from which the key is not valid any more"
    )

    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Become the server, or change the users. Returns the exit code."""
    path = Path(arguments.users) if arguments.users else dirs.config_dir() / FILE
    if arguments.words[:1] == [USERS]:
        return _users(arguments, arguments.words[1:], path)
    if len(arguments.words) > 1:
        raise InvalidParameter("name one folder", parameter="folder", remedy="see `codeagentd serve --help`")
    folder = os.path.abspath(arguments.words[0] if arguments.words else os.curdir)
    if not os.path.isdir(folder):
        raise InvalidParameter(
            f"{folder} is no folder", remedy="name the folder of the repositories", parameter="folder"
        )
    if _is_repository(Path(folder)):
        raise InvalidParameter(
            f"{folder} is a repository itself",
            remedy="name the folder that it lies in, or serve this one alone with `codeagentd run --http ADDRESS`",
            parameter="folder",
        )
    has_users = path.exists()
    if arguments.users and not has_users:
        raise InvalidParameter(
            f"{path} does not exist",
            remedy=f"`codeagentd serve users add NAME --users {path}` makes it",
            parameter="users",
        )
    _check(arguments, path if has_users else None)
    options = ["--http", arguments.http, "--keep-bytes", str(arguments.keep_bytes)]
    options += ["--users", str(path.absolute())] if has_users else []
    options += [part for host in arguments.http_host or () for part in ("--http-host", host)]
    sys.stdout.flush()
    command = [sys.executable, "-P", "-m", "codeagentd.boot.repository_server", folder, *options]
    os.execv(sys.executable, command)
    return 0


def _is_repository(folder: Path) -> bool:
    from codeagentd.vcs.repository_source import Unusable, source_at

    try:
        return source_at(folder) is not None
    except Unusable:
        return True


def size(text: str) -> int:
    """Return the number of bytes that `text` names: 20000000000, 20G or 500M."""
    match = re.fullmatch(r"(\d{1,15})([kmgt]?)b?", text.strip().lower())
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: use a number of bytes, or one with K, M, G or T")
    return int(match[1]) * UNITS[match[2]]


def _check(arguments: argparse.Namespace, users: Path | None) -> None:
    """Check the address and the users. Errors: invalid_parameter, engine_unavailable."""
    from codeagentd.boot.repository_server import USERS_REMEDY
    from codeagentd.serve.repositories.users import trouble_of

    if users and (trouble := trouble_of(users)):
        raise InvalidParameter(trouble, remedy=f"`chmod 600 {users}`", parameter="users")
    place = address(arguments.http)
    permitted(place, "users" if users else "", insecure=False, remedy=USERS_REMEDY)
    listening(place).close()


def _users(arguments: argparse.Namespace, words: list[str], path: Path) -> int:
    from codeagentd.serve.repositories import users

    verb, *names = words or [""]
    expected = 0 if verb == "list" else 1
    if verb not in VERBS or len(names) != expected:
        raise InvalidParameter(
            "use: users add NAME, users list, or users remove NAME",
            remedy="see `codeagentd serve --help`",
            parameter=USERS,
        )
    if verb == "add":
        key = users.add(path, names[0], tuple(arguments.repositories or (users.EVERY,)), arguments.expires)
        print(json.dumps({"name": names[0], "key": key}) if arguments.json else key)
        print(f"this is the key of {names[0]}; it is not stored, so it cannot be shown again ({path})", file=sys.stderr)
    elif verb == "remove":
        users.remove(path, names[0])
        removed = f"removed {names[0]}: sessions with that key end within seconds"
        print(json.dumps({"removed": names[0]}) if arguments.json else removed)
    else:
        _print_users(users.listed(path), as_json=arguments.json)
    return 0


def _print_users(entries: list[Entry], *, as_json: bool) -> None:
    if as_json:
        shown = [
            {"name": entry.name, "repositories": entry.repositories, "expires": entry.expires} for entry in entries
        ]
        print(json.dumps(shown, ensure_ascii=False))
        return
    for entry in entries:
        expires = f"  until {entry.expires}" if entry.expires else ""
        print(f"{entry.name}  {' '.join(entry.repositories)}{expires}  {entry.sha256[:8]}")
