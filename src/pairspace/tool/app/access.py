"""Access control: requests without the token are refused."""

from __future__ import annotations

import hmac
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from bokeh.server.tornado import BokehTornado
from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

HEADERS = {
    # Bokeh evaluates its own code from strings and adds styles to the page. No other machine may
    # be contacted, and no other page may frame this one.
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


class TokenTornado(BokehTornado):
    """Bokeh's web application; every request is checked first.

    This includes the page, the websocket, scripts, styles and addresses that don't exist: the
    check comes before any handler is made.

    Parameters
    ----------
    token : str
        The secret in the address to open. The first visit stores it in a cookie, so that scripts,
        the websocket and a reload have it.
    port : int
        The port. It is part of the cookie's name, because a browser shares cookies between ports.
    local_name : str or None
        The name under which this machine alone is served; None if others are served too. Then only
        this name and the usual ones are accepted, so that no other host name can be made to point
        here.
    """

    def __init__(
        self, *args: Any, token: str, port: int, local_name: str | None, **kwargs: Any
    ) -> None:
        self._token = token
        self._cookie = f"pairspace-{port}"
        names = None if local_name is None else {*LOCAL_NAMES, local_name}
        self._hosts = names and {f"{name}:{port}" for name in names}
        # Bokeh would copy headers and cookies into the page: it must not, above all our cookie.
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
        if request.method not in ("GET", "HEAD"):
            wrong = {"why": "only GET is allowed", "status": HTTPStatus.METHOD_NOT_ALLOWED}
            return super().get_handler_delegate(request, _Refusal, wrong)
        if "\0" in unquote(request.path):
            nowhere = {"why": "there is no such page", "status": HTTPStatus.NOT_FOUND}
            return super().get_handler_delegate(request, _Refusal, nowhere)
        if request.path == "/" and request.query_arguments.get("token"):
            settings = {"cookie": self._cookie, "token": self._token}
            return super().get_handler_delegate(request, _TokenLogin, settings)
        return super().get_handler_delegate(request, _with_headers(target_class), *args, **kwargs)

    def _refusal(self, request: HTTPServerRequest) -> str | None:
        """Why a request is refused; None if it is allowed."""
        if self._hosts is not None and request.host.lower() not in self._hosts:
            return "the page is not served under this host name"
        origin = request.headers.get("Origin")
        if origin is not None and _host_of(origin) != request.host.lower():
            return "requests from other pages are not allowed"
        # Requests for scripts and pictures have no Origin, but browsers send Sec-Fetch-Site.
        site = request.headers.get("Sec-Fetch-Site", "none")
        opened = request.headers.get("Sec-Fetch-Dest") == "document"
        if site in ("cross-site", "same-site") and not opened:
            return "requests from other pages are not allowed"
        given = [each.decode("latin-1") for each in request.query_arguments.get("token", [])]
        if self._cookie in request.cookies:
            given.append(request.cookies[self._cookie].value)
        if not any(hmac.compare_digest(each.encode(), self._token.encode()) for each in given):
            return "open the address that pairspace printed, including its token"
        return None


def _host_of(origin: str) -> str | None:
    """The host and port of an Origin; None if it is malformed."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


class _Refusal(RequestHandler):
    def initialize(self, why: str, status: int = HTTPStatus.FORBIDDEN) -> None:
        self._why = why
        self._status = status

    def prepare(self) -> None:
        self.set_status(self._status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"Refused: {self._why}.\n")


class _TokenLogin(RequestHandler):
    """Moves the token from the address, where it would be seen and copied, to a cookie."""

    def initialize(self, cookie: str, token: str) -> None:
        self._cookie = cookie
        self._token = token

    def get(self) -> None:
        # Lax: a link from elsewhere can open the page; no other request gets the cookie.
        self.set_cookie(self._cookie, self._token, httponly=True, samesite="Lax", path="/")
        self.set_header("Referrer-Policy", "no-referrer")
        self.redirect("/")


@cache
def _with_headers(handler: type[RequestHandler]) -> type[RequestHandler]:
    """A handler of Bokeh that also sends our headers."""

    class WithHeaders(handler):  # type: ignore[misc, valid-type]
        def set_default_headers(self) -> None:
            super().set_default_headers()
            for name, value in HEADERS.items():
                self.set_header(name, value)

    return WithHeaders
