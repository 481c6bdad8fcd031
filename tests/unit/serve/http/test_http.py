"""MCP over HTTP through a real daemon process: sessions, streams, status codes, keys, hosts, origins, bodies."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.initialize import initialize_result
from codeagentd.serve.http.middleware import MAX_BODY_BYTES
from tests.harness.site import Site, url_of
from tests.harness.waiting import eventually
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import PATIENCE_S, StubDaemon

KEY = "s3cret"
MODERN = "2026-07-28"
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "modern", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def site_of(daemon: StubDaemon, **headers: str) -> Site:
    """The daemon's HTTP, once it listens."""
    url = eventually(lambda: url_of(daemon.log()) if daemon.endpoint.log.exists() else "", explain=daemon.log)
    return Site(url, **headers)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StubDaemon]:
    with StubDaemon(tmp_path_factory.mktemp("repo"), "--http", "127.0.0.1:0", CODEAGENT_API_KEY=KEY) as daemon:
        yield daemon.wait_up()


@pytest.fixture(scope="module")
def site(served: StubDaemon) -> Site:
    return site_of(served, **{"X-API-Key": KEY})


def test_a_session_begins_with_initialize_and_ends_with_delete(site: Site):
    session = site.initialize()
    assert len(session) == 32
    listed = site.request("tools/list", Mcp_Session_Id=session).json["result"]["tools"]
    assert [tool["name"] for tool in listed if tool.get("_meta") == {"anthropic/alwaysLoad": True}] == ["echo"]
    assert site.ask("DELETE", "/mcp", Mcp_Session_Id=session).status == 204
    assert site.ask("DELETE", "/mcp", Mcp_Session_Id=session).status == 404
    assert site.request("tools/list", Mcp_Session_Id=session).status == 404
    assert site.ask("DELETE", "/mcp").status == 400


def test_the_handshake_says_what_a_window_hears(site: Site):
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    assert site.request("initialize", params).json["result"] == initialize_result("2025-11-25")


def test_a_request_without_a_session_is_answered_too(site: Site):
    result = site.request("tools/call", {"name": "echo", "arguments": {"text": "hi"}}).json["result"]
    assert result["structuredContent"] == {"text": "hi"}
    unusual = site.request("tools/call", {"name": "echo", "arguments": {"text": "hi"}, "anything_more": 1}).json[
        "result"
    ]
    assert unusual["structuredContent"] == {"text": "hi"}
    assert "mcp-session-id" not in site.request("ping").headers


def test_a_client_without_handshake_is_served(site: Site):
    found = site.request("server/discover", {"_meta": ENVELOPE}, Mcp_Protocol_Version=MODERN).json["result"]
    assert MODERN in found["supportedVersions"]
    result = site.request("tools/call", {"name": "echo", "arguments": {"text": "hi"}, "_meta": ENVELOPE}).json["result"]
    assert (result["structuredContent"], result["resultType"]) == ({"text": "hi"}, "complete")


def test_a_notification_gets_202_and_no_body(site: Site):
    session = site.initialize()
    reply = site.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, Mcp_Session_Id=session)
    assert (reply.status, reply.body) == (202, b"")
    assert site.post({"jsonrpc": "2.0", "id": 5, "result": {}}, Mcp_Session_Id=session).status == 202


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":{}}',
        b'{"jsonrpc":"1.0","id":1,"method":"x"}',
    ],
)
def test_a_body_that_is_no_request_gets_400(site: Site, body: bytes):
    reply = site.post(body)
    assert reply.status == 400
    assert reply.json["error"]["code"] in (-32700, -32600)


def test_what_is_wrong_in_a_good_request_is_said_in_json_rpc(site: Site):
    assert site.request("no/such/method").json["error"]["code"] == -32601
    assert site.request("resources/read", {"uri": "codegraph://nothing"}).json["error"]["code"] == -32602
    failed = site.request("tools/call", {"name": "fail"})
    assert failed.json["result"]["isError"]
    assert b"secret words" not in failed.body


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/mcp", {}, 400),
        ("GET", "/mcp", {"Mcp-Session-Id": "nobody"}, 404),
        ("PUT", "/mcp", {}, 405),
        ("GET", "/nowhere", {}, 404),
        ("GET", "/api/query", {}, 400),
        ("GET", "/api/query?q=", {}, 400),
        ("GET", "/api/query?q=x&token_budget=-1", {}, 400),
        ("GET", "/api/god-nodes?top_n=x", {}, 400),
        ("GET", "/api/god-nodes?top_n=x&top_n=1", {}, 400),
        ("GET", "/api/repos?repo=a%00b", {}, 400),
        ("GET", "/api/node/", {}, 400),
        ("POST", "/api/stats", {}, 405),
        ("POST", "/mcp", {"Content-Type": "text/plain"}, 415),
        ("POST", "/mcp", {"Content-Type": "application/json", "Mcp-Session-Id": "nobody"}, 404),
        ("POST", "/mcp", {"Content-Type": "application/json", "Mcp-Protocol-Version": "1999-01-01"}, 400),
        ("POST", "/mcp?toolsets=nonsense", {"Content-Type": "application/json"}, 400),
    ],
)
def test_each_mistake_has_its_status(site: Site, method: str, path: str, headers: dict[str, str], status: int):
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}' if method == "POST" else None
    reply = site.ask(method, path, body, **headers)
    assert reply.status == status
    assert reply.json["error"]["message"]


@pytest.mark.parametrize(
    "headers", [{"X-API-Key": KEY}, {"Authorization": f"Bearer {KEY}"}, {"Authorization": f"bEARER {KEY}"}]
)
def test_the_key_opens(served: StubDaemon, headers: dict[str, str]):
    assert site_of(served, **headers).request("ping").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {}, {"X-API-Key": ""}, {"X-API-Key": "s3cre"}, {"X-API-Key": KEY + "x"}, {"Authorization": KEY}, {"Authorization": f"Basic {KEY}"},
        {"Authorization": "Bearer"}, {"Authorization": f"Bearer {KEY} x"}, {"X-API-Key": "\u00e9"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/mcp", "/api/stats", "/metrics", "/openapi.json", "/nowhere"])
def test_without_the_key_everything_is_closed(served: StubDaemon, headers: dict[str, str], path: str):
    reply = site_of(served, **headers).ask("GET", path)
    assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")


def test_the_document_asks_for_a_key_where_one_is_needed(site: Site, tmp_path: Path):
    with StubDaemon(tmp_path, "--http", "127.0.0.1:0") as daemon:
        keyless = site_of(daemon.wait_up()).ask("GET", "/openapi.json").json
    locked = site.ask("GET", "/openapi.json").json
    assert locked["security"] == [{name: []} for name in locked["components"]["securitySchemes"]]
    assert not {"security", "components"} & keyless.keys()
    answers = [set(document["paths"]["/api/stats"]["get"]["responses"]) for document in (locked, keyless)]
    assert answers[0] - answers[1] == {"401"}


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:{port}", "127.0.0.1", "127.0.0.1:{port}", "[::1]", "[::1]:{port}"]
)
def test_this_machine_is_a_host_of_ours(site: Site, host: str):
    assert site.request("ping", Host=host.format(port=site.port)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1", "[::2]", "", "localhost@evil.example", "::1:x", "localhost:1",
        "127.0.0.1:80", "evil.example:{port}",
    ],
)  # fmt: skip
def test_a_name_that_points_here_is_not(site: Site, host: str):
    reply = site.request("ping", Host=host.format(port=site.port))
    assert reply.status in (400, 403)


def test_at_a_wildcard_a_name_that_points_here_is_refused_also_without_a_key(tmp_path):
    with StubDaemon(
        tmp_path, "--http", "0.0.0.0:0", "--insecure", "--http-host", "box.example", "--http-host", "lan.example:81"
    ) as daemon:
        site = site_of(daemon.wait_up())
        site.host = "127.0.0.1"
        for host, status in (
            ("evil.example:{port}", 403), ("evil.example", 403), ("10.1.2.3:{port}", 200), ("[fe80::1]:{port}", 200), ("localhost:{port}", 200),
            ("10.1.2.3:1", 403), ("box.example", 200), ("box.example:99", 200), ("lan.example:81", 200), ("lan.example:82", 403),
            (socket.gethostname() + ":{port}", 200),
        ):  # fmt: skip
            name = host.format(port=site.port)
            assert (name, site.request("ping", Host=name).status) == (name, status)
        evil = f"evil.example:{site.port}"
        assert site.request("ping", Host=evil, Origin=f"http://{evil}").status == 403
        assert site.request("ping", Host="10.1.2.3", Origin=f"http://{evil}").status == 403
        assert site.request("ping", Host=f"10.1.2.3:{site.port}", Origin=f"http://10.1.2.3:{site.port}").status == 200
        assert site.request("ping", Host="box.example", Origin="https://box.example").status == 200


@pytest.mark.parametrize("place", ["cross-site", "same-site"])
def test_a_page_of_elsewhere_loads_nothing(site: Site, place: str):
    assert site.ask("GET", "/api/stats", Sec_Fetch_Site=place).status == 403
    assert site.ask("GET", "/metrics", Sec_Fetch_Site=place, Origin="http://localhost:3000").status == 200
    assert (
        site.ask("GET", "/metrics", Sec_Fetch_Site="none").status
        == site.ask("GET", "/metrics", Sec_Fetch_Site="same-origin").status
        == 200
    )


def test_no_answer_is_to_be_taken_for_another_type(site: Site, served: StubDaemon):
    session = site.initialize()
    replies = [site.ask("GET", path) for path in ("/metrics", "/nowhere", "/openapi.json")] + [
        site.request("ping", Mcp_Session_Id=session),
        site.post(b"{"),
    ]
    replies += [site_of(served).ask("GET", "/api/stats"), site.request("ping", Origin="http://evil.example")]
    assert {reply.headers.get("x-content-type-options") for reply in replies} == {"nosniff"}
    with socket.create_connection((site.host, site.port), timeout=PATIENCE_S) as raw:
        raw.sendall(b"\x16\x03\x01 no HTTP at all\r\n\r\n")
        said = b"".join(iter(lambda: raw.recv(65_536), b"")).lower()
    assert said.startswith(b"http/1.1 400")
    assert b"x-content-type-options: nosniff" in said


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8000"])
def test_pages_of_this_machine_may_ask(site: Site, origin: str):
    assert site.request("ping", Origin=origin).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "file://",
        "http://localhost.evil.example",
        "http://[::1",
        "http://localhost@evil.example",
    ],
)
def test_pages_of_elsewhere_may_not(site: Site, origin: str):
    assert site.request("ping", Origin=origin).status == 403


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(site: Site):
    assert site.post(b"", Content_Length=str(MAX_BODY_BYTES + 1)).status == 413
    assert site.post(b"", Content_Length="-1").status in (400, 413)
    chunk = b"%x\r\n" % 65_536 + b" " * 65_536 + b"\r\n"
    try:
        status = site.post(chunk * (MAX_BODY_BYTES // 65_536 + 2) + b"0\r\n\r\n", Transfer_Encoding="chunked").status
    except (BrokenPipeError, ConnectionResetError):
        status = 413  # it no longer listens
    assert status == 413
    assert site.request("ping").status == 200


def test_requests_beyond_what_one_address_may_ask_are_told_to_wait(tmp_path):
    with StubDaemon(tmp_path, "--http", "127.0.0.1:0") as daemon:
        site = site_of(daemon.wait_up())
        asked = 3_000
        request = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n{}\r\n"
        with socket.create_connection((site.host, site.port), timeout=PATIENCE_S) as raw:
            threading.Thread(
                target=raw.sendall,
                args=((request.format("") * (asked - 1) + request.format("Connection: close\r\n")).encode(),),
            ).start()
            said = b"".join(iter(lambda: raw.recv(65_536), b""))
        statuses = Counter(re.findall(rb"HTTP/1\.1 (\d+)", said))
        assert (statuses.total(), statuses.keys()) == (asked, {b"404", b"429"})
        assert b"retry-after: 1" in said.lower()


def test_who_lacks_the_key_uses_up_nothing_of_those_who_have_it(tmp_path):
    with StubDaemon(tmp_path, "--http", "127.0.0.1:0", CODEAGENT_API_KEY=KEY) as daemon:
        site = site_of(daemon.wait_up(), **{"X-API-Key": KEY})
        asked = 1_000
        with socket.create_connection((site.host, site.port), timeout=PATIENCE_S) as raw:
            requests = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * (asked - 1)
            last = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            threading.Thread(target=raw.sendall, args=(requests + last,)).start()
            said = b"".join(iter(lambda: raw.recv(65_536), b""))
        assert Counter(re.findall(rb"HTTP/1\.1 (\d+)", said)).keys() == {b"401", b"429"}
        assert site.request("ping").status == 200


def test_answers_on_a_kept_connection_come_at_once(site: Site):
    """Two small writes make an answer; without TCP_NODELAY the second one waits for the client's delayed acknowledgement, some 40 ms."""
    kept = http.client.HTTPConnection(site.host, site.port, timeout=PATIENCE_S)
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        kept.request("GET", "/metrics", headers=site.headers)
        assert kept.getresponse().read()
        took.append(time.perf_counter() - begun)
    kept.close()
    assert statistics.median(took) < 0.03


def test_a_stream_carries_what_was_not_asked_for_and_a_session_has_one(site: Site, served: StubDaemon):
    session = site.initialize()
    assert site.ask("GET", "/mcp", Mcp_Session_Id=session, Accept="application/json").status == 406
    site.request("logging/setLevel", {"level": "info"}, Mcp_Session_Id=session)
    connection, messages = site.listen(session)
    assert site.ask("GET", "/mcp", Mcp_Session_Id=session, Accept="text/event-stream").status == 409
    with RawWindow(served.endpoint) as window:
        window.greet()
    message = next(messages)
    assert (message["method"], message["params"]["data"]["event"]) == ("notifications/message", "window came")
    site.ask("DELETE", "/mcp", Mcp_Session_Id=session)
    assert not [message for message in messages if message["params"]["level"] == "error"]  # and it ends
    connection.close()


def test_a_stream_whose_client_went_away_makes_room_for_the_next(site: Site):
    session = site.initialize()
    connection, _ = site.listen(session)
    connection.close()
    for _ in range(3):
        status = eventually(lambda: status if (status := site.probe(session)) != 409 else 0)
        assert status == 200


def test_sessions_over_http_are_in_the_status(site: Site, served: StubDaemon):
    session = site.initialize()
    seen = [window["client"] for window in served.status()["windows"]]
    assert "raw 1" in seen
    site.ask("DELETE", "/mcp", Mcp_Session_Id=session)


def test_a_session_chooses_its_tools_in_the_url(site: Site):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    listed = site.ask(
        "POST", "/mcp?tools=echo,nap&exclude_tools=nap", body, **{"Content-Type": "application/json"}
    ).json["result"]["tools"]
    assert [tool["name"] for tool in listed] == ["echo"]


def test_many_requests_of_one_session_are_answered_each_with_its_own(site: Site):
    session, answers = site.initialize(), {}

    def ask(number: int) -> None:
        body = {
            "jsonrpc": "2.0",
            "id": f"n{number}",
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"text": str(number)}},
        }
        answers[number] = site.post(body, Mcp_Session_Id=session).json

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert {
        number: (answer["id"], answer["result"]["structuredContent"]["text"]) for number, answer in answers.items()
    } == {number: (f"n{number}", str(number)) for number in range(24)}


def errors_of(daemon: StubDaemon) -> list[object]:
    """The errors in its log."""
    return [event for event in daemon.log() if event["level"] == "error"]


def test_a_client_that_goes_away_in_the_middle_harms_nobody(site: Site, served: StubDaemon):
    before = errors_of(served)
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "nap", "arguments": {"seconds": 0.3}}}
    ).encode()
    for half in (body, body[:20]):
        with socket.create_connection((site.host, site.port)) as raw:
            head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {KEY}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            raw.sendall(head.encode() + half)
    with socket.create_connection((site.host, site.port)) as raw:
        raw.sendall(b"\x16\x03\x01 no HTTP at all\r\n\r\n")
    assert site.request("ping").status == 200
    with socket.create_connection((site.host, site.port)) as raw:
        raw.sendall(f"{head.partition('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n".encode())
    assert site.request("ping").status == 200
    assert errors_of(served) == before


def test_a_body_with_two_ends_is_refused_with_its_connection(site: Site):
    """A proxy that believes the other end would take the rest for a request of its own."""
    head = f"Host: localhost\r\nX-API-Key: {KEY}\r\n"
    ends = "Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with socket.create_connection((site.host, site.port), timeout=10) as raw:
        raw.sendall(f"POST /mcp HTTP/1.1\r\n{head}{ends}GET /openapi.json HTTP/1.1\r\n{head}\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert (answer[:12], answer.count(b"HTTP/1.1")) == (b"HTTP/1.1 400", 1)


def test_metrics_are_prometheus_text(site: Site):
    reply = site.ask("GET", "/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = reply.body.decode().splitlines()
    assert "codeagentd_index_generation 7" in lines
    assert 'codeagentd_state{state="ready"} 1' in lines
    assert any(line.startswith('codeagentd_http_responses_total{status="200"} ') for line in lines)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "nonsense", "127.0.0.1:99999", "evil.example:80"])
def test_an_address_that_may_not_be_listened_on_is_said_and_the_daemon_does_without(tmp_path, address: str):
    with StubDaemon(tmp_path, "--http", address) as daemon:
        status = daemon.wait_up().wait_status(state="degraded")
        assert status["reason"].startswith("HTTP is off")
        with RawWindow(daemon.endpoint) as window:
            window.initialize()
            assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_a_port_in_use_is_said(tmp_path):
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        StubDaemon(tmp_path, "--http", f"127.0.0.1:{taken.getsockname()[1]}") as daemon,
    ):
        assert "cannot listen" in daemon.wait_up().wait_status(state="degraded")["reason"]


NOBODY = 65_534


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root asks as two users")
@pytest.mark.parametrize("is_insecure", [False, True])
def test_without_a_key_other_users_of_this_machine_may_not_ask(tmp_path: Path, is_insecure: bool):
    flags = ("--insecure",) if is_insecure else ()
    with StubDaemon(tmp_path, "--http", "127.0.0.1:0", *flags) as daemon:
        site = site_of(daemon.wait_up())

        def ask_as(user: int, path: str) -> int:
            os.seteuid(user)  # the owner of the sockets that are made meanwhile
            try:
                return site.ask("GET", path).status
            finally:
                os.seteuid(0)

        assert [ask_as(0, "/openapi.json"), ask_as(NOBODY, "/healthz")] == [200, 200]
        assert ask_as(NOBODY, "/openapi.json") == (200 if is_insecure else 403)


def test_the_daemon_leaves_while_streams_are_open(tmp_path):
    with StubDaemon(tmp_path, "--http", "127.0.0.1:0") as daemon:
        site = site_of(daemon.wait_up())
        connection, messages = site.listen(site.initialize())
        daemon.ask("stop")
        assert daemon.ended() == 0
        assert list(messages) == []
        connection.close()


def test_the_key_is_told_to_nobody(served: StubDaemon, site: Site):
    site.request("ping")
    assert KEY not in json.dumps(served.log())
