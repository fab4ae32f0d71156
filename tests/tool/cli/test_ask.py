"""``pairspace ask``: programs that answer, and the two that come along."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pandas as pd
import pytest

from pairspace.constraints.answers_file import read_answers

EXAMPLES = Path(__file__).parents[3] / "examples"
KINDS = ("lamp", "chair", "table")
COLOURS = ("red", "old", "oak", "blue", "tall", "round", "small", "green", "white", "heavy")


def command(name):
    return f'"{sys.executable}" "{EXAMPLES / name}"'


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """shop.csv: thirty things, each a colour and a kind."""
    monkeypatch.chdir(tmp_path)
    titles = [f"a {colour} {kind}" for kind in KINDS for colour in COLOURS]
    skus = [f"s{row:02d}" for row in range(len(titles))]
    pd.DataFrame({"sku": skus, "title": titles}).to_csv("shop.csv", index=False)
    return tmp_path


ASK = ("ask", "shop.csv", "--id", "sku", "--text", "title", "--seed", "0")


def test_a_rule_in_ten_lines(shop, run):
    words = (*ASK, "--with", command("answer_by_rule.py"), "--budget", "14")
    ran = run(*words, "-o", "groups.csv", "--json")
    assert ran.code == 0, ran.err
    found = ran.json
    assert (found["answers"], found["stopped"], found["failures"]) == (14, "budget reached", 0)
    groups = pd.read_csv("groups.csv")
    assert list(groups.columns[:4]) == ["sku", "title", "group_id", "group"]
    assert set(groups["group"]) == set(KINDS)  # the names that the rule gave
    right = groups["group"] == groups["title"].str.split().str[-1]
    placed = groups["how"] == "placed"
    assert placed.sum() >= 10
    assert right[placed].all()
    assert len(read_answers("answers.sqlite", by_row=False)["a"]) > 14
    again = run(*words, "-o", "groups.csv")
    assert again.code == 1
    assert "groups.csv exists" in again.err


def test_a_dry_run_estimates_and_keeps_its_answers(shop, run):
    Path("costly.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    q = json.loads(line)\n"
        "    open('calls', 'a').write('x')\n"
        "    reply = dict(id=q['id'], answer='different', cost=0.5)\n"
        "    print(json.dumps(reply), flush=True)\n"
    )
    words = (*ASK, "--kind", "pair", "--with", f'"{sys.executable}" costly.py', "--budget", "9")
    ran = run(*words, "--dry-run", "--max-cost", "3")
    assert ran.code == 0, ran.err
    assert "3 answers took" in ran.out
    assert "6 more calls: about" in ran.out
    assert "cost 3, in all 4.5" in ran.out
    assert "--max-cost 3 is enough for about 3 more" in ran.out
    assert not Path("groups.csv").exists()
    ran = run(*words, "--max-cost", "3", "--json")
    assert (ran.json["answers"], ran.json["cost"]) == (6, 3.0)
    assert ran.json["stopped"] == "maximum cost reached"
    assert Path("calls").read_text() == "x" * 6  # those of the dry run were not asked again


def test_a_program_that_fails_is_named_and_what_was_answered_stays(shop, run, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    Path("breaks.py").write_text("import sys\nsys.exit('no key')\n")
    ran = run(*ASK, "--with", f'"{sys.executable}" breaks.py')
    assert ran.code == 1
    assert "5 questions in a row failed" in ran.err
    assert "the program ended with code 1 before it answered: 'no key'" in ran.err
    assert not Path("groups.csv").exists()
    ran = run(*ASK, "--with", "no-such-program")
    assert ran.code == 1
    assert "'no-such-program' can't be started" in ran.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--show", "price"), "--show price: shop.csv has no such column; it has sku, title"),
        (("--kind", "sweep"), "kind must be one of 'board', 'pair'; got 'sweep'"),
        (("--timeout", "0"), "timeout must be more than 0 seconds; got 0"),
        (("-o", "groups.npy"), "a .npy file can hold only numbers"),
    ],
)
def test_bad_options(shop, run, words, message):
    ran = run(*ASK, "--with", "true", *words)
    assert ran.code == 1
    assert message in ran.err


# ---- A chat service on this machine ----------------------------------------------------------


class Service:
    """A chat-completions service that answers by the last word, or as a test says."""

    def __init__(self):
        self.requests, self.headers = [], []
        self.replies = []  # of the next requests: a status and headers, or a content

        class Handler(BaseHTTPRequestHandler):
            def do_POST(handler):  # noqa: N805
                size = int(handler.headers["Content-Length"])
                self.handle(handler, json.loads(handler.rfile.read(size)))

            def log_message(handler, *args):  # noqa: N805
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.released = threading.Event()
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1/chat/completions"

    def handle(self, handler, body):
        self.requests.append(body)
        self.headers.append(dict(handler.headers))
        planned = self.replies.pop(0) if self.replies else None
        if planned == "slow":
            self.released.wait(20)
            planned = None
        status, headers, content = 200, {}, None
        if isinstance(planned, tuple):
            status, headers = planned
        elif isinstance(planned, str):
            content = {"choices": [{"message": {"content": planned}}]}
        elif planned is not None:
            content = planned
        else:
            question = json.loads(body["messages"][1]["content"])
            kinds = {g["examples"][0].split()[-1]: g["group"] for g in question["groups"]}
            kind = question["row"].split()[-1]
            text = json.dumps({"answer": kinds.get(kind, "new"), "confidence": 0.9, "name": kind})
            content = {
                "choices": [{"message": {"content": f"```json\n{text}\n```"}}],
                "usage": {"total_tokens": 500},
            }
        sent = json.dumps(content).encode()
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", str(len(sent)))
            handler.end_headers()
            handler.wfile.write(sent)
        except OSError:
            pass  # the program did not wait


@pytest.fixture
def service(monkeypatch):
    service = Service()
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    for name, value in {
        "CHAT_URL": service.url,
        "CHAT_MODEL": "small",
        "CHAT_KEY": "secret",
        "CHAT_PRICE": "0.02",
        "CHAT_TIMEOUT": "0.3",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    yield service
    service.released.set()
    service.server.shutdown()
    service.server.server_close()


CHAT = (*ASK, "--with", command("answer_by_chat.py"), "--json")


def test_a_language_model_answers(shop, run, service):
    ran = run(*CHAT, "--budget", "8", "--ask", "Same kind of furniture?")
    assert ran.code == 0, ran.err
    assert ran.json["answers"] == 8
    assert ran.json["cost"] == pytest.approx(0.08)
    assert len(service.requests) == 8
    request = service.requests[-1]
    assert request["model"] == "small"
    instruction, data = (message["content"] for message in request["messages"])
    assert not any(kind in instruction for kind in KINDS)  # rows are data only
    assert json.loads(data)["ask"] == "Same kind of furniture?"
    assert service.headers[-1]["Authorization"] == "Bearer secret"


def test_a_service_that_is_slow_busy_refusing_or_talks_nonsense(shop, run, service):
    service.replies = [
        "slow",  # then right
        None,
        (429, {"Retry-After": "7"}),
        (503, {}),
        None,
        (400, {}),  # not asked again
        "I would say they are the same.",
        '{"answer": "banana"}',
        None,
        {"choices": [{"message": {"content": None, "refusal": "no"}}]},  # not asked again
        {"choices": []},
        {"odd": 1},
        None,
    ]
    ran = run(*CHAT, "--budget", "6")
    assert ran.code == 0, ran.err
    found = ran.json
    assert (found["answers"], found["failures"]) == (6, 9)
    assert found["outcomes"] == {"used": 6}
    assert "the program reports:" in ran.err


def test_no_service_at_all(shop, run, service, monkeypatch):
    monkeypatch.setenv("CHAT_URL", "http://127.0.0.1:9/v1/chat/completions")
    ran = run(*CHAT)
    assert ran.code == 1
    assert "5 questions in a row failed" in ran.json["error"]
    assert "no answer from the service" in ran.json["error"]


def test_the_rule_in_the_docs_is_the_example():
    page = (EXAMPLES.parent / "docs" / "guide" / "programs.md").read_text(encoding="utf-8")
    rule = (EXAMPLES / "answer_by_rule.py").read_text(encoding="utf-8")
    assert rule[rule.index("for line in") :] in page
