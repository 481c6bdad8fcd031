"""The guard of the page, by a real daemon: who gets in, what is refused, and where signing in leads."""

from __future__ import annotations

import email.utils
import sys
import time
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from codeagentd.serve.page.page_site import version
from tests.bench.idle import cost
from tests.harness.site import Reply, Site
from tests.harness.waiting import let_pass
from tests.unit.serve.stub_process import StubDaemon

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StubDaemon]:
    with StubDaemon(tmp_path_factory.mktemp("repo")) as daemon:
        yield daemon.wait_up()


@pytest.fixture(scope="module")
def site(served: StubDaemon) -> Site:
    """The page's server, without a cookie."""
    return Site(served.ask("page", {"port": 0, "write": False})["url"].partition("/#")[0])


def token(daemon: StubDaemon, *, write: bool = False) -> str:
    url: str = daemon.ask("page", {"port": 0, "write": write})["url"]
    return urlsplit(url).fragment.removeprefix("token=")


def sent(site: Site, path: str, fields: dict[str, str], **headers: str | None) -> Reply:
    """A form as a browser sends it."""
    return site.ask("POST", path, urlencode(fields).encode(), **({"Content-Type": FORM} | headers))


def signed_in(site: Site, daemon: StubDaemon, *, write: bool = False) -> str:
    """The cookie of a new browser."""
    reply = sent(site, "/sign-in", {"token": token(daemon, write=write)})
    assert reply.status == 303, reply.body
    return reply.headers["set-cookie"].partition(";")[0]


def test_without_a_cookie_every_page_is_the_form_to_sign_in(site: Site):
    for path in ("/", "/search?q=x", "/symbol/a.b", "/file/a.py", "/events", "/suggest?q=x", "/nothing"):
        reply = site.ask("GET", path)
        assert reply.status == 401, path
        assert b'action="/sign-in"' in reply.body
        assert reply.headers["cache-control"] == "no-store"
    assert site.ask("GET", "/static/1/page.css").status == 200
    assert site.ask("GET", "/static/1/../page_site.py").status in (401, 404)


def test_to_a_person_the_form_is_a_page_and_no_error(site: Site):
    reply = site.ask("GET", "/", **{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"})
    assert (reply.status, b'action="/sign-in"' in reply.body) == (200, True)


def test_a_token_gets_a_cookie_that_scripts_and_other_sites_do_not_have(site: Site, served: StubDaemon):
    reply = sent(site, "/sign-in", {"token": token(served), "next": "/file/a%20b.py?from=2"})
    assert (reply.status, reply.headers["location"]) == (303, "/file/a%20b.py?from=2")
    parts = [part.strip().lower() for part in reply.headers["set-cookie"].split(";")]
    assert parts[0].startswith(f"codeagentd-page-{site.port}=")
    assert {"httponly", "samesite=strict", "path=/", "max-age=604800"} <= set(parts)
    assert site.ask("GET", "/", Cookie=reply.headers["set-cookie"].partition(";")[0]).status == 200


def test_a_token_that_does_not_work_says_what_to_do(site: Site, served: StubDaemon):
    used = token(served)
    assert sent(site, "/sign-in", {"token": used}).status == 303
    for wrong in (used, "nonsense", "", "\x00", "é" * 100):
        reply = sent(site, "/sign-in", {"token": wrong})
        assert reply.status == 401
        assert b"used before" in reply.body
        assert b"codeagentd ui" in reply.body


def test_the_cookie_of_another_port_is_none(site: Site, served: StubDaemon):
    name, _, value = signed_in(site, served).partition("=")
    assert site.ask("GET", "/", Cookie=f"{name}={value}").status == 200
    assert site.ask("GET", "/", Cookie=f"codeagentd-page-{site.port + 1}={value}").status == 401
    both = f"codeagentd-page-{site.port + 1}=other; {name}={value}"
    assert site.ask("GET", "/", Cookie=both).status == 200


def test_foreign_hosts_and_origins_are_refused_with_and_without_a_cookie(site: Site, served: StubDaemon):
    cookie = signed_in(site, served, write=True)
    here = f"127.0.0.1:{site.port}"
    for headers in ({"Cookie": cookie}, {"Cookie": None}):
        for foreign in ("example.com", f"example.com:{site.port}", f"127.0.0.1:{site.port + 1}"):
            assert site.ask("GET", "/", Host=foreign, **headers).status == 403, foreign
        origins = (
            "null",
            "http://example.com",
            f"https://{here}",
            f"http://127.0.0.1:{site.port + 1}",
            "http://localhost",
        )
        for foreign in origins:
            assert site.ask("GET", "/", Origin=foreign, **headers).status == 403, foreign
            assert sent(site, "/edit/delete", {"id": "x"}, Origin=foreign, **headers).status == 403, foreign
    assert site.ask("GET", "/", Origin=f"http://{here}", Cookie=cookie).status == 200


def test_a_page_of_another_port_may_lead_here_but_neither_embeds_nor_asks(site: Site, served: StubDaemon):
    cookie = signed_in(site, served)
    for where in ("same-site", "cross-site"):

        def status(method: str, mode: str, kind: str, where: str = where) -> int:
            headers = {"Sec-Fetch-Site": where, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": kind}
            return site.ask(method, "/", b"" if method == "POST" else None, Cookie=cookie, **headers).status

        assert status("GET", "navigate", "document") == 200
        assert status("GET", "navigate", "iframe") == 403
        assert status("GET", "no-cors", "script") == 403
        assert status("GET", "cors", "empty") == 403
        assert status("POST", "navigate", "document") == 403


def test_signing_in_never_leads_away_from_the_page(site: Site, served: StubDaemon):
    for away in (
        "//example.com",
        "/\\example.com",
        "https://example.com",
        "/\t/example.com",
        "example.com",
        "/a\r\nX: y",
        "",
    ):
        reply = sent(site, "/sign-in", {"token": token(served), "next": away})
        assert (reply.status, reply.headers["location"]) == (303, "/"), away


def test_who_may_only_read_changes_nothing_whatever_is_sent(site: Site, served: StubDaemon):
    viewer, editor = signed_in(site, served), signed_in(site, served, write=True)
    for tool in ("delete", "update", "create_task", "complete_task"):
        assert sent(site, f"/edit/{tool}", {"id": "x"}, Cookie=viewer).status == 403
    assert sent(site, "/edit/store", {"content": "x"}, Cookie=editor).status == 403
    assert sent(site, "/edit/delete", {"id": "x"}).status == 401


def test_signing_out_forgets_the_browser(site: Site, served: StubDaemon):
    cookie, other = signed_in(site, served), signed_in(site, served)
    assert sent(site, "/sign-out", {}, Cookie=cookie).status == 303
    assert [site.ask("GET", "/", Cookie=one).status for one in (cookie, other)] == [401, 200]


def test_every_answer_says_that_nothing_of_elsewhere_is_let_in(site: Site, served: StubDaemon):
    for reply in (
        site.ask("GET", "/"),
        site.ask("GET", "/", Cookie=signed_in(site, served)),
        site.ask("GET", "/static/1/page.js"),
    ):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert (
            reply.headers["referrer-policy"] == "same-origin"
        )  # so that forms have an origin, and others learn nothing
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"


def test_static_files_have_their_types_and_last_as_long_as_they_are_the_same(site: Site):
    for name, kind in (("page.js", "text/javascript"), ("page.css", "text/css"), ("icon.svg", "image/svg+xml")):
        reply = site.ask("GET", f"/static/{version()}/{name}")
        assert reply.headers["content-type"].startswith(kind)
        assert "immutable" in reply.headers["cache-control"]
        assert site.ask("GET", f"/static/1/{name}").headers["cache-control"] == "no-cache"
    for name in ("missing.js", "..%2Fpage_site.py", "%2e%2e/page_site.py"):
        assert site.ask("GET", f"/static/1/{name}").status == 404


def test_every_answer_has_the_time(site: Site):
    then = email.utils.parsedate_to_datetime(site.ask("GET", "/").headers["date"])
    assert abs(then.timestamp() - time.time()) < 5


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how often a process wakes up")
def test_a_server_that_nobody_asks_does_not_wake_up(site: Site, served: StubDaemon):
    assert site.ask("GET", "/healthz").status == 200

    def wakes() -> int:
        before = cost(served.process.pid)[1]
        let_pass(1, "it is to do nothing meanwhile")
        return cost(served.process.pid)[1] - before

    assert min(wakes() for _ in range(3)) < 5
