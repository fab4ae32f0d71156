"""A tab of the labelling page without a browser: it speaks Bokeh's protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

LARGEST = 2**27  # bytes of a message


class Closed(Exception):  # noqa: N818 (the page was killed: that is no error here)
    """The connection has ended."""


class Tab:
    """One tab: the screen it shows, and messages to the page."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self._view = self._data = ""
        self.screen: dict[str, Any] = {}

    @classmethod
    async def open(cls, url: str) -> Tab:
        """Open the address that the command printed; ``Closed`` if the page is killed meanwhile."""
        try:
            return await cls._open(url)
        except (HTTPClientError, KeyError) as error:
            raise Closed from error

    @classmethod
    async def _open(cls, url: str) -> Tab:
        host = urlsplit(url).netloc
        client = AsyncHTTPClient()
        login = await client.fetch(url, follow_redirects=False, raise_error=False)
        headers = {"Cookie": login.headers["Set-Cookie"].split(";")[0], "Origin": f"http://{host}"}
        page = await client.fetch(f"http://{host}/", headers=headers, request_timeout=60)
        found = re.search(r'"token":"([^"]+)"', page.body.decode())
        assert found, "the page has no session"
        request = HTTPRequest(f"ws://{host}/ws", headers=headers)
        protocols = ["bokeh", found[1]]
        tab = cls(
            await websocket_connect(request, subprotocols=protocols, max_message_size=LARGEST)
        )
        await tab._pull()
        return tab

    async def send(self, action: str, **values: Any) -> None:
        """What the browser sends: an action on the turn that is shown."""
        message = {"action": action, "turn": self.screen["turn"], **values}
        await self._event("data_event", {"model": {"id": self._view}, "data": _map(message)})

    async def ready(self) -> None:
        """Say that the page is drawn, as a browser does after a while."""
        await self._event("document_ready", {})

    async def next_screen(self) -> dict[str, Any]:
        """Wait for a screen of another turn."""
        turn = self.screen["turn"]
        await self.until(lambda: self.screen["turn"] != turn)
        return self.screen

    async def until(self, holds: Callable[[], bool]) -> None:
        """Read messages until something holds."""
        while not holds():
            self._follow(await self._read())

    def close(self) -> None:
        """Close the tab."""
        self._socket.close()

    async def _pull(self) -> None:
        content = await self._read()  # "ACK": before it nothing may be sent
        await self._write("PULL-DOC-REQ", {})
        while "doc" not in content:
            content = await self._read()
        (view,) = (root for root in content["doc"]["roots"] if "esm" in root["attributes"])
        self._view, data = view["id"], view["attributes"]["data"]
        self._data = data["id"]
        self.screen = json.loads(data["attributes"]["screen"])

    def _follow(self, content: dict[str, Any]) -> None:
        for event in content.get("events", ()):
            is_ours = event.get("model", {}).get("id") == self._data
            if event["kind"] == "ModelChanged" and is_ours and event["attr"] == "screen":
                self.screen = json.loads(event["new"])

    async def _event(self, name: str, values: dict[str, Any]) -> None:
        event = {"type": "event", "name": name, "values": _map(values)}
        sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        await self._write("PATCH-DOC", {"events": [sent]})

    async def _write(self, kind: str, content: dict[str, Any]) -> None:
        try:
            for part in ({"msgid": "soak", "msgtype": kind}, {}, content):
                await self._socket.write_message(json.dumps(part))
        except Exception as error:  # whatever Tornado raises for a connection that has ended
            raise Closed from error

    async def _read(self) -> dict[str, Any]:
        head, _, content = [await self._part() for _ in range(3)]
        for _ in range(2 * json.loads(head).get("num_buffers", 0)):
            await self._part()
        return dict(json.loads(content))

    async def _part(self) -> Any:
        part = await self._socket.read_message()
        if part is None:
            raise Closed
        return part


def _map(values: dict[str, Any]) -> dict[str, Any]:
    """A dictionary as Bokeh writes it."""
    return {"type": "map", "entries": [[name, value] for name, value in values.items()]}
