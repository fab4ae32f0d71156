"""Requests without the token or from other pages are refused: tested on the real command."""

from __future__ import annotations

import asyncio
import http.client
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect
from typer.testing import CliRunner

from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.server import Server, is_local, or_why_not
from pairspace.tool.cli import app
from soak.tab import Tab
from tool.app.conftest import Start, apart

DATA = "name,x,y\n" + "".join(f"n{row},{row % 7},{row % 5}\n" for row in range(40))


class Visitor:
    """Requests to one address, with whatever headers."""

    answers: Path

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.url = url
        self.host = parts.netloc
        self.token = parts.query.removeprefix("token=")
        _, headers, _ = self.get(f"/?token={self.token}")
        self.cookie = headers["Set-Cookie"].split(";")[0]
        self.whole_cookie = headers["Set-Cookie"]

    def get(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        # The path goes out as it is: no tidying up of dots.
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, response.headers, body

    def socket(self, **headers: str) -> int:
        """The status with which a websocket is refused, or 101."""
        request = HTTPRequest(
            f"ws://{self.host}/ws",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            request_timeout=60,
        )

        session = generate_jwt_token(generate_session_id())

        async def connect() -> int:
            try:
                socket = await websocket_connect(request, subprotocols=["bokeh", session])
            except HTTPClientError as error:
                return error.code
            socket.close()
            while await socket.read_message() is not None:
                pass  # what was on its way; an end of the loop before the socket's would leak it
            return 101

        return int(apart(connect()))


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory, start: Start) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("access")
    (folder / "data.csv").write_text(DATA)
    with start(folder / "data.csv", "--id", "name", "--answers", folder / "a.sqlite") as url:
        visitor = Visitor(url)
        visitor.answers = folder / "a.sqlite"
        yield visitor


PATHS = [
    "/",
    "/ws",
    "/static/js/bokeh.min.js",
    "/static/extensions/panel/panel.min.js",
    "/autoload.js",
    "/metadata",
    "/favicon.ico",
    "/nothing/here",
]


def test_it_listens_on_this_machine_only(visitor: Visitor) -> None:
    assert visitor.host.startswith("127.0.0.1:")
    assert len(visitor.token) >= 32


def test_with_the_token_there_is_a_page(visitor: Visitor) -> None:
    status, headers, body = visitor.get("/", Cookie=visitor.cookie)
    assert status == 200
    assert b"<html" in body
    assert b'<meta name="viewport" content="width=device-width, initial-scale=1">' in body
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    # Scripts of the page can't read the token: it is in none of its parts.
    assert visitor.token.encode() not in body
    assert "HttpOnly" in visitor.whole_cookie
    assert "SameSite=Lax" in visitor.whole_cookie
    status, _, body = visitor.get("/static/js/bokeh.min.js", Cookie=visitor.cookie)
    assert status == 200
    assert len(body) > 100_000


def test_the_token_leaves_the_address_at_once(visitor: Visitor) -> None:
    status, headers, _ = visitor.get(f"/?token={visitor.token}")
    assert (status, headers["Location"]) == (302, "/")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"])
def test_without_the_token_there_is_nothing(visitor: Visitor, path: str, method: str) -> None:
    status, _, body = visitor.get(path, method)
    assert status == 403
    assert body in (
        b"",
        b"Refused: open the address that pairspace printed, including its token.\n",
    )


@pytest.mark.parametrize("path", PATHS)
def test_a_wrong_token_is_refused(visitor: Visitor, path: str) -> None:
    for wrong in ("", "x", visitor.token[:-1], visitor.token + "x", "é", "%00"):
        assert visitor.get(f"{path}?token={wrong.encode().hex()}")[0] == 403
        name = visitor.cookie.split("=")[0]
        assert visitor.get(path, Cookie=f"{name}={wrong}".encode().decode("latin-1"))[0] == 403
    assert visitor.get(f"{path}?token={visitor.token[:-1]}")[0] == 403


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "origin", ["http://example.org", "null", "http://127.0.0.1:1", "https://localhost"]
)
def test_foreign_origins_are_refused(visitor: Visitor, path: str, origin: str) -> None:
    assert visitor.get(path, Cookie=visitor.cookie, Origin=origin)[0] == 403
    assert visitor.get(f"{path}?token={visitor.token}", Origin=origin)[0] == 403


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://a]b", "http://:x:y"])
def test_malformed_origins_get_a_reply(visitor: Visitor, origin: str) -> None:
    assert visitor.get("/", Cookie=visitor.cookie, Origin=origin)[0] == 403


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["OPTIONS", "POST", "PUT", "DELETE", "PATCH"])
def test_only_reading_is_allowed(visitor: Visitor, path: str, method: str) -> None:
    status, _, body = visitor.get(path, method, Cookie=visitor.cookie)
    assert (status, body) == (405, b"Refused: only GET is allowed.\n")


@pytest.mark.parametrize("path", ["/%00", "/static/%00", "/static/js/%00.js", "/static/a%00/b"])
def test_paths_with_nul_lead_nowhere(visitor: Visitor, path: str) -> None:
    assert visitor.get(path, Cookie=visitor.cookie)[0] == 404


def test_another_address_of_this_machine(tmp_path: Path, start: Start) -> None:
    (tmp_path / "data.csv").write_text(DATA)
    given = ("--id", "name", "--answers", tmp_path / "a.sqlite", "--host", "127.0.0.2")
    with start(tmp_path / "data.csv", *given) as url:
        other = Visitor(url)
        assert other.host.startswith("127.0.0.2:")
        assert other.get("/", Cookie=other.cookie)[0] == 200


def test_scripts_of_other_pages_are_refused(visitor: Visitor) -> None:
    """A script element sends no origin, but browsers tell where it stands."""
    for site in ("cross-site", "same-site"):
        told = {"Sec_Fetch_Site": site, "Sec_Fetch_Dest": "script"}
        assert visitor.get("/autoload.js", Cookie=visitor.cookie, **told)[0] == 403
        opened = {"Sec_Fetch_Site": site, "Sec_Fetch_Dest": "document"}
        assert visitor.get(f"/?token={visitor.token}", **opened)[0] == 302


def test_other_names_of_this_machine_are_refused(visitor: Visitor) -> None:
    """A foreign name may be made to point here; its pages would then share our origin."""
    port = visitor.host.split(":")[1]
    for host in ("example.org", f"example.org:{port}", f"127.0.0.1.example.org:{port}"):
        assert visitor.get("/", Cookie=visitor.cookie, Host=host)[0] == 403
    assert visitor.get("/", Cookie=visitor.cookie, Host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../../../../etc/passwd",
        "/static/..%2f..%2f..%2f..%2f..%2fetc/passwd",
        "/static//etc/passwd",
        "/static/extensions/panel/../../../../../../../../etc/passwd",
        "/static/extensions/panel/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/../../../../etc/passwd",
        "/data.csv",
        "/a.sqlite",
        "/components/pairspace.tool.app.page_view/PageView/__css__/page.css",
    ],
)
def test_no_path_leads_to_other_files(visitor: Visitor, path: str) -> None:
    status, _, body = visitor.get(path, Cookie=visitor.cookie)
    assert status in (403, 404)
    assert b"root:" not in body
    assert b"SQLite format" not in body
    assert b"n1,1,1" not in body


def test_the_websocket_needs_token_and_origin(visitor: Visitor) -> None:
    own = f"http://{visitor.host}"
    assert visitor.socket(Origin=own) == 403
    assert visitor.socket(Cookie=visitor.cookie, Origin="http://example.org") == 403
    assert visitor.socket(Cookie=visitor.cookie, Origin="http://127.0.0.1:1") == 403
    assert visitor.socket(Cookie=f"{visitor.cookie}x", Origin=own) == 403
    assert visitor.socket(Cookie=visitor.cookie, Origin=own) == 101


def test_an_answer_before_the_browser_is_ready_counts_once(visitor: Visitor) -> None:
    """The browser sends it again until it is taken; the next question was not seen yet."""

    async def answer() -> None:
        early = await Tab.open(visitor.url)
        before = early.screen["caption"]
        for _ in range(3):
            await early.send("answer", value="new", name="early")
        await early.ready()
        for _ in range(3):
            await early.send("answer", value="new", name="early")
        screen = await asyncio.wait_for(early.next_screen(), 60)
        assert "early" in screen["status"]
        assert screen["caption"] != before
        early.close()

    apart(answer())
    with closing(sqlite3.connect(visitor.answers)) as file:
        assert file.execute("SELECT count(*) FROM steps").fetchone() == (1,)


@pytest.mark.parametrize(
    ("error", "said", "logged"),
    [
        (StoreError("f is <locked>"), "<p>f is &lt;locked&gt;. Then reload this page.", []),
        (KeyError("x<"), "<p>KeyError: &#x27;x&lt;&#x27;. Reload this page", [KeyError]),
    ],
)
def test_a_page_that_can_not_be_made_says_why(
    error: Exception, said: str, logged: list[type], caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> Any:
        raise error

    assert said in or_why_not(fail).object
    # Only what nobody foresaw is logged, with its traceback.
    assert [record.exc_info and record.exc_info[0] for record in caplog.records] == logged


# ---- The command -----------------------------------------------------------------------------


def refused(*arguments: Any) -> str:
    result = CliRunner().invoke(app, ["label", *map(str, arguments)])
    assert result.exit_code == 1
    return " ".join(result.output.split())


def test_other_machines_need_a_flag_that_says_what_it_means(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(DATA)
    for host in ("0.0.0.0", "::", "192.168.0.1", "example.org"):
        said = refused(tmp_path / "data.csv", "--host", host)
        assert "not encrypted" in said
        assert "--allow-network" in said


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("", False)],
)
def test_what_counts_as_this_machine(host: str, local: bool) -> None:
    assert is_local(host) == local


def test_wrong_options_are_said_before_anything_is_served(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text(DATA)
    at = ("--answers", tmp_path / "a.sqlite")
    assert "column 'q' is not in the table" in refused(data, "--show", "q", *at)
    assert "image_root, their folder" in refused(data, "--image", "name", *at)
    assert "does not exist" in refused(
        data, "--image", "name", "--image-root", tmp_path / "no", *at
    )
    assert "strategy" in refused(data, "--strategy", "guess", *at)
    data.write_text(DATA.replace("n3,", "n4,"))
    assert "ids must be unique" in refused(data, "--id", "name", *at)


# ---- The browser and ctrl-C ------------------------------------------------------------------


def test_the_token_is_no_argument_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every user of the machine can read the arguments of a browser."""
    opened: list[str] = []
    server = Server(lambda: None, title="t", host="127.0.0.1", port=0)

    def browse(address: str) -> None:
        page = Path(url2pathname(urlsplit(address).path))
        private = page.parent.stat().st_mode & 0o077 == 0
        opened.append(f"{address} {private} {server.url in page.read_text(encoding='utf-8')}")
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("webbrowser.open", browse)
    closed: list[bool] = []
    server.run(open_browser=True, close=lambda: closed.append(True))
    assert closed == [True]
    address, private, leads_to_the_page = opened[0].split()
    assert address.startswith("file:")
    assert server.token not in address
    assert (private, leads_to_the_page) == ("True", "True")
    assert not Path(urlsplit(address).path).exists()


STOP = """
import signal, threading, time
from pairspace.tool.app.server import Server
server = Server(lambda: None, title="t", host="127.0.0.1", port=0)
def close():
    print("closing", flush=True)
    time.sleep(100)
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
server.run(close=close)
"""


def test_a_second_interrupt_ends_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STOP], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "closing\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stdout.read() == ""
