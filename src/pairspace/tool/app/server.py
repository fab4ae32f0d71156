"""The server of the labelling page."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import panel as pn
from bokeh.events import ClientReconnected, ConnectionLost
from bokeh.models import CustomJS
from bokeh.server.server import BaseServer
from panel.io.application import build_applications
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.websocket import WebSocketClosedError

from pairspace.constraints.answers_file import StoreError
from pairspace.tool.app.access import TokenTornado

# A tab may reconnect after the machine was asleep for days.
TOKEN_SECONDS = 7 * 24 * 3600

WHAT_SHARING_MEANS = (
    "anyone who can reach this machine and has the address with its token can see the data and "
    "answer, and anyone on the network can read along, because the connection is not encrypted"
)

# Without this bar, a page looks the same after the program has ended.
LOST = """
  if (document.getElementById("lost")) return;
  const bar = document.createElement("div");
  bar.id = "lost";
  bar.setAttribute("role", "alert");
  bar.textContent = "The connection to pairspace is lost: new answers are not saved. " +
    "Run the command again and open the address it prints; earlier answers are safe.";
  bar.style.cssText = "position:fixed;inset:0 0 auto 0;z-index:9999;padding:14px 20px;" +
    "background:#c1121f;color:#fff;font:600 15px system-ui,sans-serif;text-align:center";
  document.body.append(bar);
"""
RECONNECTED = """document.getElementById("lost")?.remove()"""

# The base page of Panel has no viewport, so telephones would show it as wide as a desk's screen.
TEMPLATE = """
{% block preamble %}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{% endblock %}
"""


class Server:
    """Serves the page on a port of this machine.

    Parameters
    ----------
    make_page : callable
        Returns the Panel object of one tab.
    title : str
        The title of the tab.
    host : str, default="127.0.0.1"
        The address to listen on.
    port : int, default=0
        The port; 0 for any free one.

    Attributes
    ----------
    url : str
        The address to open, with its token. Anyone who has it can see the page.
    """

    def __init__(
        self,
        make_page: Callable[[], Any],
        *,
        title: str,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        try:
            sockets = bind_sockets(port, host)
        except OSError as error:
            raise OSError(
                f"can't listen on {host}, port {port}: {error.strerror or error}; "
                "choose another port, or 0 for any free one"
            ) from error
        self.port = int(sockets[0].getsockname()[1])
        self.token = secrets.token_urlsafe(24)
        shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
        name = f"[{shown}]" if ":" in shown else shown
        self.url = f"http://{name}:{self.port}/?token={self.token}"
        loop = IOLoop.current()

        def make_tab() -> Any:
            page = or_why_not(make_page)
            pn.state.curdoc.template = TEMPLATE
            pn.state.curdoc.js_on_event(ConnectionLost, CustomJS(code=LOST))
            pn.state.curdoc.js_on_event(ClientReconnected, CustomJS(code=RECONNECTED))
            return page

        application = TokenTornado(
            build_applications({"/": make_tab}, title=title),
            token=self.token,
            port=self.port,
            local_name=name if is_local(host) else None,
            session_token_expiration=TOKEN_SECONDS,
        )
        http = HTTPServer(application)
        http.add_sockets(sockets)
        self._server = BaseServer(loop, application, http)

    def run(self, *, open_browser: bool = False, close: Callable[[], None]) -> None:
        """Serve until ctrl-C or SIGTERM, then call ``close``; a second ctrl-C ends at once."""
        _quieten()
        loop = self._server.io_loop

        def stop(*_: Any) -> None:
            loop.add_callback(loop.stop)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, _end_at_once)

        with ExitStack() as stack:
            for number in (signal.SIGINT, signal.SIGTERM):
                stack.callback(signal.signal, number, signal.signal(number, stop))
            stack.callback(close)
            stack.callback(self._server.stop)
            self._server.start()
            if open_browser:
                redirect = stack.enter_context(_redirect_file(self.url))
                # Some browsers return only when they are closed.
                loop.run_in_executor(None, webbrowser.open, redirect.as_uri())
            loop.start()


def or_why_not(make_page: Callable[[], Any]) -> Any:
    """The page, or, if it can't be made, what to do: Bokeh would show a page without content."""
    try:
        return make_page()
    except StoreError as error:
        why = f"{error}. Then reload this page."
    except Exception as error:
        logging.getLogger(__name__).exception("a tab could not be shown")
        why = f"{type(error).__name__}: {error}. Reload this page; the terminal says more."
    return pn.pane.HTML(
        f'<main role="alert"><h1>This page could not be shown</h1><p>{escape(why)}</p>'
        "<p>Answers that were saved are safe.</p></main>"
    )


@contextmanager
def _redirect_file(url: str) -> Iterator[Path]:
    """A page that only this user can read, and that leads to the address.

    All users of a machine see the arguments of a program, and so of a browser: the token must not
    be one.
    """
    with tempfile.TemporaryDirectory(prefix="pairspace-") as folder:  # private
        path = Path(folder, "open.html")
        path.write_text(
            '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            f'<meta http-equiv="refresh" content="0;url={escape(url)}"><title>pairspace</title>'
            f'<p><a href="{escape(url)}">Open the labelling page</a></p>\n',
            encoding="utf-8",
        )
        yield path


def _end_at_once(*_: Any) -> None:
    """End without waiting for a fit in a thread: all answers are on the disk."""
    os._exit(130)


def _quieten() -> None:
    """Do not log every visit, refusal and closed tab."""
    for name in ("bokeh", "tornado"):
        logging.getLogger(name).setLevel(logging.ERROR)

    def is_not_a_closed_tab(record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))

    logging.getLogger("asyncio").addFilter(is_not_a_closed_tab)


def is_local(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
