"""Models behind an endpoint: what answers say, and servers that hang, refuse, answer nonsense or end midway."""

from __future__ import annotations

import gzip
import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.datasets import FEW, SharedDatasets

from gramprobe.cli.main import main
from gramprobe.score.engines import endpoint as module
from gramprobe.score.engines import exchange
from gramprobe.score.engines.endpoint import PARSED, EndpointEngine, EndpointOptions, read
from gramprobe.score.record import TIES
from gramprobe.score.request import Continue, Refusal, Whole
from gramprobe.score.results import read_scores
from gramprobe.source.diagnostic import UsageError

ANSWERS = (("True", "true"), ("Neither",), ("False",))
Reply = Callable[[Mapping[str, Any], int], tuple[int, Any]]


def chat(*places: dict[str, float], text: str | None = None) -> dict[str, Any]:
    """A chat completion: at each place the likeliest tokens, the first of which was chosen."""
    content = [
        {
            "token": next(iter(listed)),
            "logprob": math.log(next(iter(listed.values()))),
            "top_logprobs": [{"token": token, "logprob": math.log(p)} for token, p in listed.items()],
        }
        for listed in places
    ]
    said = "".join(next(iter(listed)) for listed in places) if text is None else text
    return {"choices": [{"message": {"content": said}, "logprobs": {"content": content} if places else None}]}


def values(response: Mapping[str, Any], answers: tuple[tuple[str, ...], ...] = ANSWERS) -> list[float | None]:
    return [answer.values[0] for answer in read(response, answers)]


# -- what an answer says


def test_spellings_of_an_answer_are_summed() -> None:
    found = values(chat({"True": 0.4, "true": 0.1, "False": 0.3, " Neither": 0.2}))
    assert [math.exp(v or 0) for v in found] == pytest.approx([0.5, 0.2, 0.3])


def test_a_token_that_begins_one_answer_alone_is_that_answer() -> None:
    assert math.exp(values(chat({"Ne": 0.7, "Fal": 0.2, "T": 0.1}))[1] or 0) == pytest.approx(0.7)


def test_answers_that_begin_alike_are_told_where_they_part() -> None:
    options = (("Option A", "A"), ("Option B", "B"))
    found = values(chat({"Option": 0.8, "A": 0.1, "Well": 0.1}, {" B": 0.75, " A": 0.25}), options)
    assert math.exp(found[0] or 0) == pytest.approx(0.1), "`A` is said without `Option` with 0.1"
    found = values(chat({"Option": 0.8, "Well": 0.2}, {" B": 0.75, " A": 0.25}), options)
    assert [math.exp(v or 0) for v in found] == pytest.approx([0.2, 0.6])


def test_an_answer_that_is_not_listed_is_a_little_less_likely_than_what_is() -> None:
    answers = read(chat({"True": 0.9, "Yes": 0.05, "Hm": 0.01}), ANSWERS)
    assert math.exp(answers[2].values[0] or 0) == pytest.approx(0.01 * math.exp(-module.BELOW))
    assert answers[2].flags == ("unlisted",) and answers[0].flags == ()


@pytest.mark.parametrize("probability", [0.2, 0.7, 0.999999, 1.0])
def test_the_only_answer_that_is_listed_wins(probability: float) -> None:
    """Where an endpoint lists the chosen token alone: the others have at most what it leaves, and less than it."""
    first, second, third = values(chat({"True": probability}))
    assert first == pytest.approx(math.log(probability)) and second == third is not None
    assert first - second > max(TIES["float32"], module.BELOW / 2)  # type: ignore[operator]
    assert math.exp(second or 0) <= max(1 - probability, module.CLOSE)


def test_listed_tokens_with_the_same_text_are_summed_and_a_repeated_one_is_not() -> None:
    answer = chat({"True": 0.5, "False": 0.1})
    listed = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    listed += [{"token": "True", "logprob": math.log(0.2)}, listed[1]]
    found = values(answer)
    assert [math.exp(found[0] or 0), math.exp(found[2] or 0)] == pytest.approx([0.7, 0.1])


def test_an_answer_is_no_more_than_certain_though_what_is_listed_is_rounded() -> None:
    assert values(chat({"True": 0.601, "true": 0.402}))[0] == 0.0


def test_without_probabilities_the_answer_is_read_from_the_text() -> None:
    answers = read(chat(text="I would say: False."), ANSWERS)
    assert [answer.values[0] for answer in answers] == [PARSED, PARSED, 0.0]
    assert {answer.flags for answer in answers} == {("parsed",)}


@pytest.mark.parametrize("text", ["I cannot say.", "True or False? Hard.", "", "Untrue"])
def test_no_answer_or_several_is_an_abstention(text: str) -> None:
    answers = read(chat(text=text), ANSWERS)
    assert {answer.values for answer in answers} == {(None,)} and {a.flags for a in answers} == {("abstained",)}


@pytest.mark.parametrize(
    "choice",
    [
        {"logprobs": {"content": [{"token": "True"}]}, "message": {"content": "True"}},
        {
            "logprobs": {"content": [{"token": "True", "logprob": "x", "top_logprobs": []}]},
            "message": {"content": "True"},
        },
        {"logprobs": {"tokens": ["True"], "top_logprobs": [None]}, "text": "True"},
        {"logprobs": 3, "text": "True"},
        {"text": "True"},
    ],
)
def test_damaged_probabilities_are_not_used(choice: dict[str, Any]) -> None:
    assert values({"choices": [choice]})[0] == 0.0


@pytest.mark.parametrize("choice", [None, 3, {}, {"message": None}, {"message": {"content": 5}}])
def test_a_damaged_answer_is_an_abstention(choice: Any) -> None:
    assert values({"choices": [choice]}) == [None, None, None]


def test_the_older_interface_is_read_too() -> None:
    logprobs = {"tokens": [" True"], "top_logprobs": [{" True": math.log(0.6), " False": math.log(0.4)}]}
    found = values({"choices": [{"text": " True", "logprobs": logprobs}]})
    assert math.exp(found[0] or 0) == pytest.approx(0.6)


# -- asking a server


class Server:
    """An endpoint of ours on the loopback, which answers as a test says and counts what it is asked."""

    def __init__(self, reply: Reply, headers: Mapping[str, str]) -> None:
        outer = self
        self.asked: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._lock:
                    outer.at_once += 1
                    outer.most_at_once = max(outer.most_at_once, outer.at_once)
                    outer.asked.append(body)
                    outer.headers.append(self.headers.get("Authorization", ""))
                    number = len(outer.asked)
                try:
                    status, answer = reply(body, number)
                finally:
                    with outer._lock:
                        outer.at_once -= 1
                if status == 0:  # end midway
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{")
                    self.close_connection = True
                    return
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


READ = cache(lambda file, read: read())


@pytest.fixture(autouse=True)
def certificates_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine reads the certificates of the system, which takes longer than what most of these tests do."""
    read = httpx.create_ssl_context
    monkeypatch.setattr(httpx, "create_ssl_context", lambda: READ(os.environ.get("SSL_CERT_FILE"), read))


@pytest.fixture
def served() -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def serve(reply: Reply, **headers: str) -> Server:
        servers.append(Server(reply, {name.replace("_", "-"): value for name, value in headers.items()}))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


GOOD = chat({"True": 0.6, "Neither": 0.3, "False": 0.1})


def engine(url: str, waits: list[float] | None = None, **options: Any) -> EndpointEngine:
    sleep = (lambda seconds: None) if waits is None else waits.append
    return EndpointEngine("m", EndpointOptions(url=url, **options), sleep)


def question(text: str = "Is it?") -> Continue:
    return Continue((("user", text),), ANSWERS)


@pytest.mark.slow
def test_answers_are_in_the_order_of_the_questions_and_asked_together(served: Callable[..., Server]) -> None:
    def reply(body: Mapping[str, Any], number: int) -> tuple[int, Any]:
        time.sleep(0.05 if body["messages"][0]["content"].endswith("0") else 0.02)
        share = (int(body["messages"][0]["content"].split()[-1]) + 1) / 100
        return 200, chat({"True": share, "False": 1 - share})

    server = served(reply)
    one = engine(server.url, in_flight=4)
    found = one.answer([one.prepare(question(f"Number {n}")) for n in range(20)])  # type: ignore[misc]
    assert [math.exp(answers[0].values[0] or 0) for answers in found] == pytest.approx(
        [(n + 1) / 100 for n in range(20)]
    )
    assert 1 < server.most_at_once <= 4


@pytest.mark.slow
def test_what_is_sent_is_a_question_with_probabilities_asked_for(
    served: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMPROBE_API_KEY", "very-secret")
    server = served(lambda body, number: (200, GOOD))
    one = engine(server.url)
    one.answer([one.prepare(question())])  # type: ignore[list-item]
    (body,), (header,) = server.asked, server.headers
    assert body["model"] == "m" and body["temperature"] == 0 and body["logprobs"] is True
    assert header == "Bearer very-secret"


def test_a_text_that_is_given_cannot_be_scored() -> None:
    assert isinstance(engine("http://127.0.0.1:1/v1").prepare(Whole(("A text.",))), Refusal)


@pytest.mark.slow
def test_requests_that_fail_are_made_again_with_growing_pauses(served: Callable[..., Server]) -> None:
    replies: list[tuple[int, Any]] = [
        (429, {}),
        (503, b"<html>"),
        (200, b"no JSON"),
        (200, {"choices": []}),
        (0, None),
        (200, GOOD),
    ]
    server = served(lambda body, number: replies[number - 1])
    waits: list[float] = []
    one = engine(server.url, waits, retries=6)
    (answers,) = one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert math.exp(answers[0].values[0] or 0) == pytest.approx(0.6)
    assert len(server.asked) == 6
    assert all(0.5 * 2**n <= wait <= 1.5 * 2**n for n, wait in enumerate(waits))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reply", "message", "asked"),
    [
        ((429, {}), "status 429", 3),
        ((200, b"<html>"), "no JSON", 3),
        ((200, {"error": "x"}), "without `choices`", 3),
        ((0, None), "the connection failed", 3),
        ((429, {"error": {"message": "no quota is left"}}), "status 429: no quota is left", 3),
        ((200, {"error": {"message": "overloaded"}}), "without `choices`: overloaded", 3),
        ((401, {"error": "very-secret"}), "status 401: the key is missing or wrong", 1),
        ((404, {}), "status 404", 1),
    ],
)
def test_a_request_that_fails_for_good_stops_the_run_with_what_happened(
    reply: tuple[int, Any], message: str, asked: int, served: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMPROBE_API_KEY", "very-secret")
    server = served(lambda body, number: reply)
    one = engine(server.url, retries=2)
    with pytest.raises(UsageError) as refused:
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert refused.value.code == "E49" and message in refused.value.message
    assert "very-secret" not in refused.value.message + refused.value.help
    assert len(server.asked) == asked


@pytest.mark.slow
def test_a_server_that_hangs_is_left(served: Callable[..., Server]) -> None:
    released = threading.Event()

    def hang(body: Mapping[str, Any], number: int) -> tuple[int, Any]:
        released.wait(20)
        return 200, GOOD

    server = served(hang)
    one = engine(server.url, retries=1, timeout=0.2)
    with pytest.raises(UsageError, match=r"no answer within 0\.2 seconds"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    released.set()


def test_nobody_at_the_other_end_is_an_error() -> None:
    one = engine("http://127.0.0.1:1/v1", retries=1)
    with pytest.raises(UsageError, match="the connection failed"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]


def test_where_nothing_ever_answered_a_line_says_so_and_few_tries_are_made() -> None:
    """Six of them would take two minutes without a word."""
    waits, told = list[float](), list[str]()
    options = EndpointOptions(url="http://127.0.0.1:1/v1", retries=6, in_flight=1)
    one = EndpointEngine("m", options, waits.append, told.append)
    with pytest.raises(UsageError, match=r"\(3 tries\): the connection failed"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert len(waits) == 2
    assert told == ["the endpoint at `127.0.0.1`: the connection failed (ConnectError); asked again, 2 times at most"]


@pytest.mark.parametrize("url", ["", "host/v1", "ftp://host/v1", "https://user:word@host/v1", "https://host/v1?key=1"])
def test_an_address_with_a_password_or_without_a_host_is_refused(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        engine(url)
    assert refused.value.code == "E49" and "word" not in refused.value.message


def test_what_the_server_says_of_the_pause_is_kept_to_and_bounded() -> None:
    assert module._pause(0, "7") == 7.0
    assert module._pause(0, "100000") == module.LONGEST_WAIT
    assert module._pause(3, "soon") <= 1.5 * 8


@pytest.mark.slow
def test_a_rate_spreads_requests_over_the_minute(served: Callable[..., Server]) -> None:
    server = served(lambda body, number: (200, GOOD))
    waits: list[float] = []
    one = engine(server.url, waits, rate=60.0, in_flight=1)
    one.answer([one.prepare(question()) for _ in range(3)])  # type: ignore[misc]
    assert len(waits) == 2 and waits[0] <= 1.0 < waits[1] <= 2.0


# -- a run


@pytest.fixture(scope="session")
def pairs(datasets: SharedDatasets) -> Path:
    return datasets("presupposition/both", n=FEW, design="paper")


def few_pairs(file: Path, count: int = 3) -> Path:
    """A plain file of so many pairs."""
    rows = "".join(f"Emma has {n} cats.,Emma has a cat.,entailment\n" for n in range(2, 2 + count))
    file.write_text(f"premise,hypothesis,label\n{rows}", "utf-8")
    return file


@pytest.mark.slow
def test_a_run_that_a_server_broke_off_goes_on_where_it_was(
    served: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("GRAMPROBE_API_KEY", "very-secret")
    monkeypatch.setattr("gramprobe.cli.score.ENDPOINT_SHARD", 4)

    def reply(body: Mapping[str, Any], number: int) -> tuple[int, Any]:
        text = body["messages"][-1]["content"]
        share = 0.1 + (sum(map(ord, text)) % 80) / 100
        return 200, chat(
            {"True": share, "Neither": (1 - share) / 2, "False": (1 - share) / 2}, {"A": 0.5, "B": 0.3, "C": 0.2}
        )

    whole = served(reply)
    command = ["score", str(few_pairs(tmp_path / "x.csv", 12)), "--task", "nli", "--model", "m", "--mode", "prompted"]
    command += ["--in-flight", "3"]
    prompts = tmp_path / "p.toml"
    labels = "entailment = ['True'], neutral = ['Neither'], contradiction = ['False']"
    prompts.write_text(f"[q]\ntext = '{{premise}} {{hypothesis}}'\nanswers = {{ {labels} }}\n")
    command += ["--prompts", str(prompts)]
    assert main([*command, "--endpoint", whole.url, "--out", str(tmp_path / "whole")]) == 0
    broken = served(lambda body, number: reply(body, number) if number <= 6 else (401, {}))
    assert main([*command, "--endpoint", broken.url, "--out", str(tmp_path / "broken")]) == 2
    assert read_scores(tmp_path / "broken").shards == ("x-00000",)
    # The server is well again, at the same address.
    monkeypatch.setattr(EndpointEngine, "_sent", lambda self, q: reply(q.body, 0)[1])
    asked = len(broken.asked)
    assert main([*command, "--endpoint", broken.url, "--out", str(tmp_path / "broken"), "--resume"]) == 0
    assert len(broken.asked) == asked
    assert read_scores(tmp_path / "broken").table().equals(read_scores(tmp_path / "whole").table())
    text = "".join(file.read_text("utf-8", "replace") for file in tmp_path.rglob("*") if file.is_file())
    assert "very-secret" not in text + "".join(capsys.readouterr())


def test_an_estimate_asks_nothing(
    served: Callable[..., Server], pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = served(lambda body, number: (200, GOOD))
    command = ["score", str(pairs), "--model", "m", "--mode", "prompted", "--endpoint", server.url]
    assert main([*command, "--estimate"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{FEW * 19 * 4} requests, some ") and server.asked == []


@pytest.mark.slow
def test_a_model_that_never_answers_is_counted_and_nothing_is_lost(
    served: Callable[..., Server], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = served(lambda body, number: (200, chat(text="As a language model I cannot say.")))
    command = ["score", str(few_pairs(tmp_path / "x.csv")), "--task", "nli", "--model", "m", "--mode", "prompted"]
    assert main([*command, "--endpoint", server.url, "--out", str(tmp_path / "s")]) == 0
    table = read_scores(tmp_path / "s").table()
    assert table.num_rows == 3 * 4 * 3
    assert (
        set(table.column("flags").to_pylist()) == {"abstained"} and table.column("value").null_count == table.num_rows
    )
    assert f"{table.num_rows:,} of {table.num_rows:,} values are flagged `abstained`" in capsys.readouterr().out


@pytest.mark.slow
def test_answers_without_probabilities_are_remarked(
    served: Callable[..., Server], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of means looks the same with them."""
    (tmp_path / "x.csv").write_text(
        "premise,hypothesis,label\nIt is.,It is.,neutral\nIt was.,It is.,neutral\n", "utf-8"
    )
    labels = "entailment = ['True'], neutral = ['Neither'], contradiction = ['False']"
    (tmp_path / "p.toml").write_text(f"[q]\ntext = '{{premise}} {{hypothesis}}'\nanswers = {{ {labels} }}\n", "utf-8")
    server = served(lambda body, number: (200, GOOD if "was" in body["messages"][0]["content"] else chat(text="True")))
    command = ["score", str(tmp_path / "x.csv"), "--task", "nli", "--model", "m", "--mode", "prompted"]
    command += ["--prompts", str(tmp_path / "p.toml"), "--endpoint", server.url, "--out", str(tmp_path / "s")]
    assert main(command) == 0
    assert "3 of 6 values are flagged `parsed`: the endpoint gave no probabilities" in capsys.readouterr().out


def test_what_an_endpoint_cannot_do_is_refused_before_anything_is_sent(
    served: Callable[..., Server], pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = served(lambda body, number: (200, GOOD))
    assert main(["score", str(pairs), "--model", "m", "--endpoint", server.url]) == 2
    assert "--mode prompted" in capsys.readouterr().err
    assert (
        main(["score", str(pairs), "--model", "m", "--mode", "prompted", "--endpoint", server.url, "--workers", "2"])
        == 2
    )
    assert "--in-flight" in capsys.readouterr().err and server.asked == []


# -- what no endpoint should send, and what some refuse


@pytest.mark.parametrize(
    "logprob", [10**400, -(10**400), math.inf, 3.0, True, "-0.2", [], None], ids=lambda value: str(value)[:8]
)
def test_a_number_that_is_no_log_probability_is_not_used(logprob: Any) -> None:
    answer = chat({"True": 0.5, "False": 0.4}, text="False")
    answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]["logprob"] = logprob
    assert {reply.flags for reply in read(answer, ANSWERS)} == {("parsed",)}


def test_probabilities_of_more_than_one_together_are_not_used() -> None:
    answer = chat({"True": 1.0, "False": 1.0, "Neither": 1.0}, text="False")
    assert {reply.flags for reply in read(answer, ANSWERS)} == {("parsed",)}


@pytest.mark.parametrize("after", ["nan", "inf", "-5", "soon", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_pause_is_a_number_of_seconds_within_bounds(after: str) -> None:
    assert 0 <= module._pause(2, after) <= module.LONGEST_WAIT


@pytest.mark.slow
def test_an_answer_that_drips_ends_with_the_time_limit(served: Callable[..., Server]) -> None:
    """Whether its headers drip or its body: the limit is for the whole of it."""

    def reply(body: Mapping[str, Any], number: int) -> tuple[int, Any]:
        stop.wait(20)
        return 200, GOOD

    stop = threading.Event()
    server = served(reply)
    one = engine(server.url, retries=1, timeout=0.3)
    one._exchange._idle[0].timeout = None  # as if each read came in time
    with pytest.raises(UsageError, match=r"no answer within 0\.3 seconds"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert len(server.asked) == 2
    stop.set()


@pytest.mark.slow
def test_a_refusal_shows_what_the_server_says_and_no_key(
    served: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMPROBE_API_KEY", "very-secret")
    server = served(lambda body, number: (400, {"error": {"message": "no model `m`\nfor\x1b key very-secret"}}))
    one = engine(server.url)
    with pytest.raises(UsageError, match=r"status 400: no model `m` for key \*\*\*") as refused:
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert "very-secret" not in str(refused.value)
    assert len(server.asked) == 1


@pytest.mark.slow
@pytest.mark.parametrize("part", ["VERY-SECRET", "very-sec***", "cret-key", "%20very-secret"])
def test_a_refusal_with_a_part_of_the_key_is_not_repeated(
    part: str, served: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMPROBE_API_KEY", "very-secret-key")
    one = engine(served(lambda body, number: (400, {"error": {"message": f"the key {part} is wrong"}})).url)
    with pytest.raises(UsageError, match=r"status 400$"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["hex", "zlib", "rot13", "undefined", "none such"])
def test_an_answer_is_read_whatever_encoding_the_server_says_it_has(
    encoding: str, served: Callable[..., Server]
) -> None:
    """Some names are those of codecs that make no texts."""
    replies = [(400, {"error": "logprobs"}), (200, GOOD)]
    server = served(lambda body, number: replies[number - 1], Content_Type=f"application/json; charset={encoding}")
    one = engine(server.url)
    (answers,) = one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert math.exp(answers[0].values[0] or 0) == pytest.approx(0.6)


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_packed_answer_is_never_unpacked(status: int, served: Callable[..., Server]) -> None:
    server = served(lambda body, number: (status, gzip.compress(bytes(1 << 20))), Content_Encoding="gzip")
    one = engine(server.url, retries=1)
    with pytest.raises(UsageError, match="a packed answer") as refused:
        one.answer([one.prepare(question())])  # type: ignore[list-item]
    assert refused.value.code == "E49" and len(server.asked) == 2


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 400, 500])
def test_an_answer_is_read_up_to_a_size(
    status: int, served: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "LARGEST", 1 << 20)
    server = served(lambda body, number: (status, b" " * (1 << 20) + json.dumps(GOOD).encode()))
    one = engine(server.url, retries=0)
    with pytest.raises(UsageError, match="an answer of more than 1 MB"):
        one.answer([one.prepare(question())])  # type: ignore[list-item]


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines", "a\x7fb"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAMPROBE_API_KEY", key)
    with pytest.raises(UsageError, match=r"\$GRAMPROBE_API_KEY") as refused:
        engine("http://127.0.0.1:1/v1")
    assert refused.value.code == "E49" and key not in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "value"), [("ALL_PROXY", "nonsense://host"), ("NO_PROXY", "[::"), ("SSL_CERT_FILE", "none.pem")]
)
def test_an_environment_in_which_no_connection_can_be_set_up_is_named(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=r"no connection to the endpoint at `127\.0\.0\.1` can be set up") as refused:
        engine("http://127.0.0.1:1/v1")
    assert refused.value.code == "E49"


@pytest.mark.slow
def test_names_and_numbers_that_an_endpoint_refuses_are_exchanged(served: Callable[..., Server]) -> None:
    def reply(body: Mapping[str, Any], number: int) -> tuple[int, Any]:
        if "max_tokens" in body:
            return 400, {"error": {"message": "Unsupported parameter: use 'max_completion_tokens' instead."}}
        if body["top_logprobs"] > 5:
            return 400, {"error": {"message": "top_logprobs must be at most 5"}}
        return 200, GOOD

    server = served(reply)
    one = engine(server.url, in_flight=3)
    found = one.load()
    questions = [one.prepare(question(f"Number {n}")) for n in range(6)]
    answers = one.answer(questions)  # type: ignore[arg-type]
    assert [math.exp(each[0].values[0] or 0) for each in answers] == pytest.approx([0.6] * 6)
    assert (found["listed"], found["longest"]) == (5, "max_completion_tokens")
    assert server.asked[-1]["max_completion_tokens"] == module.GENERATED


def test_the_address_decides_no_score() -> None:
    assert engine("http://127.0.0.1:1/v1").settings() == engine("http://127.0.0.1:2/v1").settings()
