"""The ways out of a repository full of made-up secrets besides the tools of a window: editors, the page, HTTP, a server of
revisions, stores of a team, the first questions, and what is written for whoever helps.
"""

from __future__ import annotations

import json
import random
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from codeagentd.serve.page.views.changes import LISTED
from tests.harness.clustered import facts_in, facts_pushed, index_of, mapped
from tests.harness.language_window import LanguageWindow, editor_window
from tests.harness.opened_page import link
from tests.harness.planted import PLACES, blocks, leaked, planted, secrets
from tests.harness.protocol_messages import CASES, names_of
from tests.harness.repository_server import RepositoryServer
from tests.harness.site import Site
from tests.harness.world import World

SEED = 11
FEW = 4  # places that each secret stands in
POSITIONS = 4  # names of each document that an editor asks about
FILES = planted(SEED, FEW)
WANTED = {secret.kind: secret.value for secret in secrets(SEED)} | {
    f"{kind} line {number}": line
    for kind, (_, body) in blocks(SEED).items()
    for number, line in enumerate(body.split("\n"))
}
ONE_OF_EACH = [next(path for path in FILES if path.endswith(f"/{place.path}")) for place in PLACES]
STRIPE = next(secret for secret in secrets(SEED) if secret.kind == "Stripe key")


@pytest.fixture(scope="module")
def vault(shared_world: World) -> Path:
    """The repository, indexed; a commit's message has a secret too."""
    repo = shared_world.repository("vault", FILES)
    shared_world.commit(repo, f"Use {STRIPE.written} for now")
    (repo / ONE_OF_EACH[0]).open("a").write("\n# again\n")
    shared_world.git(repo, "commit", "-q", "-a", "-m", f"Rotate {STRIPE.written}")
    shared_world.index(repo)
    return repo


class Asking:
    """What `CASES` ask a window, over a real shim; no answer shows a secret."""

    def __init__(self, window: LanguageWindow) -> None:
        self._window = window
        self.answered: Counter[str] = Counter()

    def uri(self, path: str) -> str:
        """The name of a document."""
        return str(self._window.document(path)["uri"])

    def ask(self, method: str, **params: Any) -> Any:
        """One request; its result, None where it failed."""
        answer = self._window.request(method, params)
        assert not leaked(json.dumps(answer.message, ensure_ascii=False), WANTED), f"{method} {params}"
        self.answered[method] += bool(answer.message.get("result"))
        return answer.message.get("result")

    def whole(self, method: str, path: str) -> Any:
        """One request about a document."""
        return self.ask(f"textDocument/{method}", textDocument={"uri": self.uri(path)})


@pytest.mark.limit(240)
def test_no_secret_shows_in_an_editor(shared_world: World, vault: Path) -> None:
    window = editor_window(shared_world, vault)
    asking, chance = Asking(window), random.Random(SEED)
    for path in ONE_OF_EACH:
        window.open_file(path)
        names = names_of((vault / path).read_text(), "utf-16")
        few = chance.sample(names, min(POSITIONS, len(names)))
        for method, cases in CASES.items():
            for params in cases(asking, path, few):  # type: ignore[arg-type]  # it has what they use
                asking.ask(method, **params)
        window.close_file(path)
    assert asking.answered["textDocument/hover"] > len(PLACES) / 2
    assert asking.answered["textDocument/completion"] > len(PLACES) / 2
    assert asking.answered["workspace/symbol"]
    window.leave()


def pages(site: Site) -> Iterator[str]:
    """Addresses of the page about files and symbols of every place."""
    yield from ("/", "/map", "/change", "/change?until=HEAD", "/tasks", "/workspace", "/tree/", "/memories")
    for path in ONE_OF_EACH:
        yield from (f"/file/{quote(path)}", f"/history/{quote(path)}", f"/tree/{quote(path.partition('/')[0])}")
        yield f"/symbol/{quote(path)}:1"
    for word in (
        "connect",
        "Settings",
        "use",
        "hook",
        "open_it0",
        "KEY0",
        "api_token",
        "rotated last week",
        "password",
    ):
        yield from (f"/search?q={quote(word)}", f"/symbol/{quote(word)}", f"/suggest?q={quote(word)}")
        yield f"/flow?source={quote(word)}"


def batched(paths: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """The paths, so many at once."""
    left = iter(paths)
    return iter(lambda: tuple(islice(left, size)), ())


def signed_in(world: World, repo: Path) -> Site:
    """The page, for a browser that is signed in."""
    url, _, token = link(world, repo).partition("/#token=")
    site = Site(url)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = site.ask("POST", "/sign-in", urlencode({"token": token}).encode(), **form)
    site.headers["Cookie"] = reply.headers["set-cookie"].partition(";")[0]
    return site


@pytest.mark.limit(240)
def test_no_secret_shows_on_the_page(shared_world: World, vault: Path) -> None:
    site, shown = signed_in(shared_world, vault), Counter[int]()
    window = shared_world.connect(vault, "--toolsets", "all")  # the first page lists what clients have asked
    window.must("search_code", {"query": f"where is {STRIPE.written}"})
    for kind, (text, _) in blocks(SEED).items():
        window.must("store", {"type": "knowledge", "content": text, "title": kind})
    for secret in secrets(SEED):
        if secret.alone:
            window.must("search_symbols", {"query": secret.written})
            assert not leaked(site.ask("GET", "/").body, WANTED), secret.kind
    for path in pages(site):
        reply = site.ask("GET", path)
        shown[reply.status] += 1
        assert not leaked(reply.body, WANTED), path
    assert shown[200] > 3 * len(PLACES)
    window.close()


@pytest.mark.limit(120)
def test_no_secret_shows_in_the_changes_on_the_page(shared_world: World, vault: Path) -> None:
    """Every line with a secret has another one than in the commit, and is shown without the file around it."""
    later = {path: text for path, text in planted(SEED + 1, FEW).items() if path in FILES}
    both = WANTED | {f"new {secret.kind}": secret.value for secret in secrets(SEED + 1)}
    site, shown = signed_in(shared_world, vault), 0
    for some in batched(later, LISTED):
        for path in some:
            (vault / path).write_text(later[path])
        shared_world.index(vault)
        page = site.ask("GET", "/change").body
        assert not (kinds := leaked(page, both)), [(kind, both[kind]) for kind in kinds]
        shown += page.count(b"[redacted]")
        shared_world.git(vault, "checkout", "-q", "--", ".")
    assert shown > len(later)


@pytest.mark.limit(120)
def test_no_secret_is_in_a_store_of_shards(shared_world: World, vault: Path) -> None:
    store = shared_world.base / "shards"
    mapped(shared_world, vault, store, "--shard", "1/1")
    facts = facts_in(vault, store)
    assert len(facts) > len(PLACES)
    assert {key: kinds for key, value in facts.items() if (kinds := leaked(value, WANTED))} == {}


@pytest.mark.limit(120)
def test_no_secret_is_in_a_store_that_was_pushed(shared_world: World, vault: Path) -> None:
    """Neither sealed nor unsealed: names and bytes of objects, and the facts of every file, unpacked."""
    folder = shared_world.base / "pushed"
    done = shared_world.codeagentd("share", "push", "--repo", str(vault), "--store", str(folder), "--json")
    assert done.code == 0, done
    stored = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    facts = facts_pushed(folder, vault, index_of(shared_world))
    assert len(facts) == done.json["files"] > len(PLACES)
    assert any(b"connect" in data for data in facts.values())
    assert not leaked("\n".join(stored), WANTED)
    assert {name: kinds for name, data in (stored | facts).items() if (kinds := leaked(data, WANTED))} == {}


@pytest.mark.limit(120)
def test_no_secret_comes_with_the_first_answers(shared_world: World, vault: Path) -> None:
    repo = shared_world.base / "again"
    shared_world.git(vault, "clone", "-q", str(vault), str(repo))
    window = shared_world.connect(repo, "--toolsets", "all")
    for name in ("connect", "use", "Settings", "API_TOKEN", "hook", "open_it0", "KEY0"):
        for tool, argument in (("search_symbols", "query"), ("describe_symbol", "symbol"), ("search_code", "query")):
            answer = window.call(tool, {argument: name})
            assert not leaked(str(answer.message), WANTED), f"{tool} {name}"
    shared_world.index(repo)
    window.close()


@pytest.mark.limit(240)
def test_no_secret_comes_from_a_server_of_revisions(shared_world: World, vault: Path) -> None:
    shared_world.git(vault, "clone", "-q", "--bare", str(vault), str(shared_world.base / "repos/vault.git"))
    with RepositoryServer(shared_world, shared_world.base / "repos") as server:
        assert not server.call("vault", "search_symbols", query="connect").is_error

        async def talk(client: Any) -> None:
            for path in ONE_OF_EACH:
                answer = await client.call_tool("get_file_outline", {"path": path})
                assert not leaked(answer.model_dump_json(), WANTED), path
            for words in ("api token", "rotated last week", "private key", "password host connect"):
                for tool in ("search_code", "semantic_search", "search_symbols"):
                    answer = await client.call_tool(tool, {"query": words})
                    assert not leaked(answer.model_dump_json(), WANTED), (tool, words)

        server.talk("vault", talk)
    assert not leaked(server.errors.read_bytes(), WANTED)


def test_no_secret_is_in_the_bundle_for_whoever_helps(shared_world: World, vault: Path, tmp_path: Path) -> None:
    target = tmp_path / "bundle.zip"
    assert shared_world.codeagentd("support", "--repo", str(vault), "--output", str(target)).code == 0
    with zipfile.ZipFile(target) as bundle:
        contents = {name: bundle.read(name) for name in bundle.namelist()}
    assert {name: kinds for name, content in contents.items() if (kinds := leaked(content, WANTED))} == {}
