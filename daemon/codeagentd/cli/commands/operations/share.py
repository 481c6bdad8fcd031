"""`codeagentd share`: the facts of a team, between the indexes of a repository and a store."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import CodedError, InvalidParameter, StoreFailed
from codeagentd.base.paths import read_regular
from codeagentd.boot.facts_sharing import KEY_BYTES, pull_request, shared_model, signer_of
from codeagentd.boot.index_ownership import databases_of
from codeagentd.boot.settings import Settings, load
from codeagentd.cli.rendering.console import count, duration, plain, size
from codeagentd.cli.rendering.tables import table
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from
from codeagentd.share.opening import open_store

from .index import display, wait_until_caught_up

if TYPE_CHECKING:
    from codeagentd.share.published import Published

EXAMPLES = """examples:
  codeagentd share push --store s3://team-facts/main    in CI, after each merge
  codeagentd share status
  codeagentd share pull                                 facts for the next index, before the daemon starts
  codeagentd share key                                  a key to sign with

Facts are what files say: symbols, references, imports. With share.url in your own config.json (never a \
repository's), new indexes begin with the facts that the store has, and extract only the rest. Only what is \
committed is pushed; only who has a file can read its facts."""

KEY_FILE: Final = "share.key"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs and their options."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    push = verbs.add_parser(
        "push", help="put the facts of HEAD's files into the store, with those vectors that are there"
    )
    push.add_argument("--no-vectors", action="store_true", help="facts alone")
    verbs.add_parser("pull", help="fetch the facts of the present files that this machine lacks")
    verbs.add_parser("status", help="what the store has for this repository, and how the last pull went")
    for verb in verbs.choices.values():
        add_repo(verb)
        verb.add_argument("--store", metavar="URL", help="the store (default: the setting share.url)")
    verbs.add_parser("key", help=f"make a key that signs what is pushed, as {KEY_FILE} in the configuration directory")
    for verb in verbs.choices.values():
        add_json(verb)


def run(arguments: argparse.Namespace) -> int:
    """Run one verb. Returns the exit code."""
    if arguments.verb == "key":
        return _key(arguments)
    endpoint = endpoint_from(arguments)
    settings = load(endpoint.root, os.environ).settings
    if arguments.store:
        settings = msgspec.structs.replace(settings, share=msgspec.structs.replace(settings.share, url=arguments.store))
    if not settings.share.url:
        raise InvalidParameter(
            "no store is named", remedy="name one by --store, or share.url in your own config.json", parameter="store"
        )
    return VERBS[arguments.verb](endpoint, settings, arguments)


def _push(endpoint: Endpoint, settings: Settings, arguments: argparse.Namespace) -> int:
    from codeagentd.share.push import push

    store = open_store(settings.share.url)
    signer = signer_of(settings)
    wait_until_caught_up(endpoint)
    index, blobs = databases_of(endpoint)
    with display(verbose=False) as shown:
        report = push(
            store, Path(endpoint.root), index, blobs, signer=signer, max_bytes=settings.share.max_bytes,
            model="" if arguments.no_vectors else shared_model(settings),
            on_progress=shown.update if shown else lambda phase, done, total: None,
        )  # fmt: skip
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(report), ensure_ascii=False))
        return int(not report.is_whole)
    print(
        f"pushed {report.commit[:10]} to {plain(report.url)}: {count(report.files, 'file')}, {report.facts:,} of them "
        f"new, vectors of {report.vectors:,}; {size(report.bytes)} in {count(report.packs, 'pack')}, "
        f"{report.seconds:.1f} s"
    )
    if report.changed:
        print(f"left out: {count(report.changed, 'file')} not as committed")
    if report.without_facts:
        print(f"without facts: {count(report.without_facts, 'file')}")
    if not report.is_whole:
        print("not everything was moved: share.max_bytes allows no more; push again, or allow more")
    return int(not report.is_whole)


def _pull(endpoint: Endpoint, settings: Settings, arguments: argparse.Namespace) -> int:
    from codeagentd.share.pull import Pull
    from codeagentd.share.shared_facts import save_report
    from codeagentd.store.opening import open_disposable

    request = pull_request(endpoint, settings)
    blobs = Path(request.blobs)
    dirs.make_private(str(blobs.parent))
    open_disposable(blobs, "blobs")[0].close()
    with display(verbose=False) as shown:
        pull = Pull(request, shown.update if shown else lambda phase, done, total: None)
        error: CodedError | None = None
        try:
            pull.facts()
            pull.vectors()
        except CodedError as caught:
            error = caught
        finally:
            pull.close()
    report = pull.end(error)
    save_report(blobs, report)
    if error is not None:
        raise error
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(report), ensure_ascii=False))
        return 0
    if not report.commit:
        print(f"{plain(report.url)} has nothing of this repository's last commits")
        return 1
    print(
        f"pulled facts of {count(report.facts, 'file')} and {count(report.vectors, 'vector')} ({size(report.bytes)}, "
        f"{report.seconds:.1f} s) from {plain(report.url)}: {_commit_text(report.commit, report.distance)}"
    )
    print(f"of {count(report.files, 'file')}, {report.had:,} had facts here already; {report.audited:,} were checked")
    if report.left:
        print(f"left in the store: {count(report.left, 'entry', 'entries')} beyond share.max_bytes")
    return 0


def _status(endpoint: Endpoint, settings: Settings, arguments: argparse.Namespace) -> int:
    from codeagentd.share.manifests import public_key
    from codeagentd.share.published import nearest
    from codeagentd.share.shared_facts import last_report

    share = settings.share
    store = open_store(share.url)
    report = last_report(Path(pull_request(endpoint, settings).blobs))
    try:
        published, error = nearest(store, Path(endpoint.root), [public_key(text) for text in share.trusted_keys]), None
    except StoreFailed as caught:
        published, error = None, caught
    if arguments.json:
        fields = {"url": store.url, "pull": share.pull, "nearest": published and _published_json(published)}
        fields |= {"error": error.message if error else "", "last_pull": msgspec.to_builtins(report)}
        print(json.dumps(fields, ensure_ascii=False))
        return int(error is not None)
    rows = [
        ["store", plain(store.url)],
        ["pulled", "by new indexes" if share.pull else "by `share pull` alone (share.pull is false)"],
    ]
    if error is not None:
        rows.append(["trouble", plain(f"{error.message} ({error.remedy})")])
    elif published is None:
        rows.append(["has", "nothing of this repository's last commits"])
    else:
        rows += _published_rows(published)
    if report is not None:
        moved = f"{count(report.facts, 'file')}, {size(report.bytes)}, {report.seconds:.1f} s"
        rows.append(["last pull", plain(f"{_ago(report.at)}: {report.refused or report.trouble or moved}")])
    print("\n".join(table(rows, indent=0)))
    return int(error is not None)


def _published_json(published: Published) -> dict[str, Any]:
    manifest = published.manifest
    return {
        "commit": published.commit, "distance": published.distance, "files": manifest.files,
        "packs": len(manifest.packs), "bytes": manifest.bytes, "created": manifest.created,
    }  # fmt: skip


def _published_rows(published: Published) -> list[list[str]]:
    manifest = published.manifest
    return [
        ["has", f"{_commit_text(published.commit, published.distance)}, pushed {_ago(manifest.created)}"],
        ["files", f"{manifest.files:,}; {size(manifest.bytes)} in {count(len(manifest.packs), 'pack')}"],
    ]


def _ago(at: float) -> str:
    return f"{duration(max(0.0, time.time() - at))} ago"


def _commit_text(commit: str, distance: int) -> str:
    return f"commit {commit[:10]}, {'HEAD' if not distance else count(distance, 'commit') + ' before HEAD'}"


def _key(arguments: argparse.Namespace) -> int:
    from codeagentd.share.manifests import new_key, private_key, public_text

    file = dirs.config_dir() / KEY_FILE
    if (content := read_regular(file, KEY_BYTES)) is not None:
        public, is_new = public_text(private_key(content.decode("utf-8", "replace"))), False
    else:
        private, public = new_key()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(f"{private}\n")
        is_new = True
    if arguments.json:
        print(json.dumps({"file": str(file), "public": public, "is_new": is_new}))
        return 0
    print(
        f"{'made' if is_new else 'there is'} {plain(str(file))}; who pushes sets share.sign_with to it, who pulls sets"
    )
    print(f'  "share": {{"trusted_keys": ["{public}"]}}')
    return 0


VERBS: Final[dict[str, Callable[[Endpoint, Settings, argparse.Namespace], int]]] = {
    "push": _push,
    "pull": _pull,
    "status": _status,
}
