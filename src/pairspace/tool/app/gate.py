"""The gate before the page: who does not know its token gets nothing."""

from __future__ import annotations

import hmac
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from bokeh.server.tornado import BokehTornado
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

HEADERS = {
    # Bokeh evaluates its own code from strings and puts styles into the page; nothing may come
    # from, or go to, another machine, and no other page may frame this one.
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


class GatedTornado(BokehTornado):
    """Bokeh's web application, every request of which passes the gate first.

    The page, the websocket, scripts and styles, and addresses that don't exist: all are looked
    at here, before any handler is made.

    Parameters
    ----------
    token : str
        The secret in the address that was opened. The first visit leaves it in a cookie, so that
        scripts, the websocket and a reload have it.
    port : int
        Cookies don't know ports: the name of ours does.
    local : bool
        Whether only this machine is served: then only its own names are answered to, so that no
        other name can be made to point here.
    """

    def __init__(self, *args: Any, token: str, port: int, local: bool, **kwargs: Any) -> None:
        self._token = token
        self._cookie = f"pairspace-{port}"
        self._hosts = {f"{name}:{port}" for name in LOCAL_NAMES} if local else None
        # What would be put into the page from a request is not needed there, our cookie least.
        super().__init__(
            *args,
            include_headers=[],
            include_cookies=[],
            extra_websocket_origins=sorted(self._hosts) if self._hosts else [f"*:{port}"],
            **kwargs,
        )

    def get_handler_delegate(
        self, request: HTTPServerRequest, target_class: Any, *args: Any, **kwargs: Any
    ) -> Any:
        refusal = self._refusal(request)
        if refusal:
            return super().get_handler_delegate(request, _Refusal, {"why": refusal})
        if request.path == "/" and request.query_arguments.get("token"):
            settings = {"cookie": self._cookie, "token": self._token}
            return super().get_handler_delegate(request, _Entrance, settings)
        return super().get_handler_delegate(request, _guarded(target_class), *args, **kwargs)

    def _refusal(self, request: HTTPServerRequest) -> str | None:
        """Why a request is refused, or None."""
        if self._hosts is not None and request.host.lower() not in self._hosts:
            return "this page is not served under that name"
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc.lower() != request.host.lower():
            return "requests of other pages are refused"
        # Scripts and pictures are asked for without an origin, but browsers tell from where.
        site = request.headers.get("Sec-Fetch-Site", "none")
        opened = request.headers.get("Sec-Fetch-Dest") == "document"
        if site in ("cross-site", "same-site") and not opened:
            return "requests of other pages are refused"
        given = [each.decode("latin-1") for each in request.query_arguments.get("token", [])]
        if self._cookie in request.cookies:
            given.append(request.cookies[self._cookie].value)
        if not any(hmac.compare_digest(each.encode(), self._token.encode()) for each in given):
            return "open the address that pairspace printed, with its token"
        return None


class _Refusal(RequestHandler):
    def initialize(self, why: str) -> None:
        self._why = why

    def prepare(self) -> None:
        self.set_status(HTTPStatus.FORBIDDEN)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"Refused: {self._why}.\n")


class _Entrance(RequestHandler):
    """Takes the token out of the address, where it would be seen, kept and copied."""

    def initialize(self, cookie: str, token: str) -> None:
        self._cookie = cookie
        self._token = token

    def get(self) -> None:
        # Lax: a link to the address from elsewhere opens the page; nothing else gets the cookie.
        self.set_cookie(self._cookie, self._token, httponly=True, samesite="Lax", path="/")
        self.set_header("Referrer-Policy", "no-referrer")
        self.redirect("/")


@cache
def _guarded(handler: type[RequestHandler]) -> type[RequestHandler]:
    """A handler of Bokeh's, which also sends our headers."""

    class Guarded(handler):  # type: ignore[misc, valid-type]
        def set_default_headers(self) -> None:
            super().set_default_headers()
            for name, value in HEADERS.items():
                self.set_header(name, value)

    return Guarded
