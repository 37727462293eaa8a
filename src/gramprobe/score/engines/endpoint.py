"""A model behind an OpenAI-compatible endpoint: which of the known answers does it give?

Endpoints give the probabilities of tokens that a model generates, and of those alone: so only requests whose parts are
short answers to choose from can be asked (`Continue`, by the modes choice, prompted and true_false). The answers are
generated with temperature 0; at each token the endpoint lists the likeliest ones with their log-probabilities.

The key is written nowhere.
"""

from __future__ import annotations

import json
import math
import random
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gramprobe.score.engines.exchange import Answer, Exchange, Unusable
from gramprobe.score.request import Chat, Continue, Refusal, Reply, Request
from gramprobe.source import messages

LISTED = 20
"""How many of the likeliest tokens are asked for: the most that OpenAI's interface allows."""
GENERATED = 8
"""Tokens of an answer at most."""
PARSED = -100.0
"""The value of the other answers where an endpoint gives no probabilities, and the answer is read from its text."""
AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses after which a request is made again."""
CLOSE = 0.01
"""How far the listed probabilities may be above 1 together: they are rounded, and computed in few digits."""
BELOW = 0.01
"""Nats by which an answer that is not listed is below the least likely token that is, so that they do not tie."""
FEWER = {20: 5, 5: 1}
"""How many are asked for where an endpoint refuses more: some allow five, some none but the chosen one."""
SHOWN = 300
"""The most characters of what a server says that a message repeats."""
PART = 8
"""Characters of the key in a row that no message repeats."""
LONGEST_WAIT = 60.0
"""Seconds between two tries at most."""
NOBODY = 2
"""How often a request is made again at most where no connection was ever made: the address is wrong, or nothing runs
there."""


@dataclass(frozen=True, kw_only=True)
class EndpointOptions:
    """How an endpoint is asked.

    Attributes:
        url: up to `/v1`, without `/chat/completions`.
        in_flight: how many requests are made at once.
        rate: how many requests are begun in a minute at most; 0 for no limit.
        retries: how often a request is made again before the run stops.
        timeout: seconds that an answer may take, from the request to its last byte.
    """

    url: str
    in_flight: int = 8
    rate: float = 0.0
    retries: int = 6
    timeout: float = 60.0


@dataclass(frozen=True)
class Prepared:
    """A request as the body that is sent. ``answers``: the spellings of each part."""

    path: str
    body: Mapping[str, Any]
    answers: tuple[tuple[str, ...], ...]


class EndpointEngine:
    """A model behind an endpoint. Its weights are elsewhere: `load` asks it one question, to find what it answers."""

    kind = "endpoint"
    labels: tuple[str, ...] = ()

    def __init__(
        self,
        model: str,
        options: EndpointOptions,
        sleep: Callable[[float], None] = time.sleep,
        report: Callable[[str], None] = lambda line: None,
    ) -> None:
        """``report``: gets a line at the first request that fails and is made again.

        Raises UsageError (E49) if httpx is not installed, for another text than a URL, a URL with a password, and
        where no connection can be set up.
        """
        try:
            import httpx
        except ImportError:
            raise messages.packages.lacking("asking an endpoint", "httpx", "api", "E49") from None
        try:
            url = httpx.URL(options.url)
        except (httpx.InvalidURL, TypeError):
            url = httpx.URL("")
        if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
            raise messages.score.bad_endpoint(url.host or "")
        self.model, self._options, self._sleep, self._report = model, options, sleep, report
        self._connected = self._reported = False
        self._host, self._exchange = url.host, Exchange(url.host, options.timeout)
        self._lock, self._next = threading.Lock(), 0.0
        self._longest, self._listed = "max_tokens", LISTED
        self._found: dict[str, Any] = {}

    # -- Engine

    def prepare(self, request: Request) -> Prepared | Refusal:
        if not isinstance(request, Continue):
            return Refusal("mode", "an endpoint only answers questions: it gives no probability of a given text")
        shared: dict[str, Any] = {"model": self.model, "temperature": 0, "max_tokens": GENERATED}
        if isinstance(request.context, str):
            body = {**shared, "prompt": request.context, "logprobs": LISTED}
            return Prepared("/completions", body, request.texts)
        turns = [{"role": role, "content": text} for role, text in request.context]
        body = {**shared, "messages": turns, "logprobs": True, "top_logprobs": LISTED}
        return Prepared("/chat/completions", body, request.texts)

    def settings(self) -> dict[str, Any]:
        return {"listed": LISTED, "generated": GENERATED, "temperature": 0}

    def shown(self, context: str | Chat) -> str:
        return context if isinstance(context, str) else "\n".join(f"{role}: {text}" for role, text in context)

    def load(self) -> dict[str, Any]:
        """Where it is asked: of no weight for the values, so that a run goes on at another address."""
        self._found = {"endpoint": self._options.url.rstrip("/")}
        return self._found

    def answer(self, prepared: Sequence[Prepared]) -> list[tuple[Reply, ...]]:
        """Several requests are in flight at once; the answers are in the order of the questions.

        Raises UsageError (E49) when a request fails for good. What was answered before it is lost with its shard.
        """
        if not prepared:
            return []
        with ThreadPoolExecutor(self._options.in_flight) as pool:
            futures = [pool.submit(self._ask, question) for question in prepared]
            try:
                return [future.result() for future in futures]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    # -- the estimate

    def estimate(self, prepared: Sequence[Prepared]) -> int:
        """Tokens of the questions and answers, roughly: four characters are a token (OpenAI's rule of thumb)."""
        return sum(len(json.dumps(question.body)) // 4 + GENERATED for question in prepared)

    # -- one question

    def _ask(self, question: Prepared) -> tuple[Reply, ...]:
        return read(self._sent(question), question.answers)

    def _sent(self, question: Prepared) -> dict[str, Any]:
        """The endpoint's answer as JSON, after as many tries as it needs. Raises UsageError (E49)."""
        import httpx

        what, tried, retries = "", 0, self._options.retries
        url = f"{self._options.url.rstrip('/')}{question.path}"
        while tried <= retries:
            self._wait_for_turn()
            after = ""
            asked = self._longest, self._listed
            body = json.dumps(self._accepted(question.body)).encode()
            try:
                answer = self._exchange.post(url, body)
                self._connected = True
                if answer.status == 400 and self._adapted(_decoded(answer), asked):
                    continue
                if answer.status == 200:
                    found = json.loads(answer.body)
                    if isinstance(found, dict) and isinstance(found.get("choices"), list) and found["choices"]:
                        return found
                    what = f"an answer without `choices`{self._said(answer)}"
                elif answer.status not in AGAIN:
                    raise messages.score.endpoint_failed(self._host, self._status(answer), 1)
                else:
                    what, after = self._status(answer), answer.after
            except (httpx.TimeoutException, TimeoutError):
                what = f"no answer within {self._options.timeout:g} seconds"
            except httpx.HTTPError as error:
                what = f"the connection failed ({type(error).__name__})"
                if isinstance(error, httpx.ConnectError) and not self._connected:
                    retries = min(retries, NOBODY)
            except Unusable as error:
                what = str(error)
            except (ValueError, RecursionError):
                what = "an answer that is no JSON"
            if tried < retries:
                self._report_once(f"the endpoint at `{self._host}`: {what}; asked again, {retries} times at most")
                self._sleep(_pause(tried, after))
            tried += 1
        raise messages.score.endpoint_failed(self._host, what, tried)

    def _report_once(self, line: str) -> None:
        with self._lock:
            before, self._reported = self._reported, True
        if not before:
            self._report(line)

    def _accepted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body with the names and numbers that the endpoint takes, as far as they are known."""
        found = {(self._longest if name == "max_tokens" else name): value for name, value in body.items()}
        found["top_logprobs" if "top_logprobs" in found else "logprobs"] = self._listed
        return found

    def _adapted(self, text: str, asked: tuple[str, int]) -> bool:
        """Whether a refusal is of a name or number for which there is another: some models know `max_tokens` by the
        name `max_completion_tokens` only, and some endpoints list fewer tokens. ``asked``: what was refused."""
        with self._lock:
            if asked != (self._longest, self._listed):
                return True  # another request was refused before, and this one is made again as that one
            if self._longest == "max_tokens" and "max_completion_tokens" in text:
                self._longest = "max_completion_tokens"
            elif "logprobs" in text and self._listed in FEWER:
                self._listed = FEWER[self._listed]
            else:
                return False
            self._found |= {"listed": self._listed, "longest": self._longest}
            return True

    def _status(self, answer: Answer) -> str:
        known = {401: ": the key is missing or wrong", 404: ": no such model or path"}.get(answer.status, "")
        # servers repeat a part of the key where they refuse it
        return f"status {answer.status}{known}{'' if answer.status in (401, 403) else self._said(answer)}"

    def _said(self, answer: Answer) -> str:
        """What the server says of a refusal, in one line; nothing if a part of the key stands in it."""
        text: Any = _decoded(answer)
        try:
            error = json.loads(text)["error"]
            text = error["message"] if isinstance(error, dict) else error
        except (ValueError, LookupError, TypeError, RecursionError):
            pass
        if not isinstance(text, str):
            return ""
        key = self._exchange.key
        if key:
            text = text.replace(key, "***")
        shown = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * SHOWN]).split())[:SHOWN]
        parts = (key[start : start + PART].lower() for start in range(len(key) - PART + 1))
        return f": {shown}" if shown and not any(part in shown.lower() for part in parts) else ""

    def _wait_for_turn(self) -> None:
        """Begin no more requests in a minute than the rate allows."""
        if not self._options.rate:
            return
        with self._lock:
            now = time.monotonic()
            begin = max(self._next, now)
            self._next = begin + 60.0 / self._options.rate
        if begin > now:
            self._sleep(begin - now)


def _pause(tried: int, after: str) -> float:
    """Seconds before the next try: what the server says, else 1, 2, 4 ... with a random part, so that requests that
    failed together do not come again together."""
    try:
        wanted = float(after)
    except ValueError:
        wanted = math.nan
    if math.isnan(wanted):
        wanted = 2.0**tried * (0.5 + random.random())
    return min(max(wanted, 0.0), LONGEST_WAIT)


def _decoded(answer: Answer) -> str:
    """The body as UTF-8, whatever encoding the server names: Python knows some, such as `hex`, that decode no text."""
    return answer.body.decode("utf-8", "replace")


# -- what an answer says


def read(response: Mapping[str, Any], answers: Sequence[tuple[str, ...]]) -> tuple[Reply, ...]:
    """The log-probability of each answer in a response.

    The probability of an answer is summed over the listed tokens that can only be its beginning; where several answers
    begin alike (`Option A`, `Option B`), those at the place where they part count. An answer that is not listed gets
    what it does not exceed (flag `unlisted`): a little less than the lowest listed log-probability, and no more than
    what the listed answers leave. Without probabilities the answer is read from the text: 0 for it and -100 for the
    others (flag `parsed`). Where no answer is found, the model abstains: no values, flag `abstained`.
    """
    choice = response["choices"][0]
    places = _listed(choice) if isinstance(choice, dict) else []
    spelled = [tuple(form.strip() for form in forms) for forms in answers]
    sums, lowest = _sums(places, spelled)
    if any(sums):
        left = min(lowest, math.log(max(1 - math.fsum(sums), CLOSE))) - BELOW
        values = [math.log(min(total, 1.0)) if total else left for total in sums]
        return tuple(
            Reply((value,), 1, () if total else ("unlisted",)) for value, total in zip(values, sums, strict=True)
        )
    said = _said(_text(choice), spelled)
    if said is None:
        return tuple(Reply((None,), 0, ("abstained",)) for _ in answers)
    return tuple(Reply((0.0 if i == said else PARSED,), 1, ("parsed",)) for i in range(len(answers)))


def _sums(
    places: Sequence[tuple[str, Mapping[str, float]]], spelled: Sequence[tuple[str, ...]]
) -> tuple[list[float], float]:
    """The probability of each answer, and the lowest log-probability that was listed where they part."""
    sums, before, weight, lowest = [0.0] * len(spelled), "", 1.0, 0.0
    for chosen, listed in places:
        lowest = min([lowest, *listed.values()])
        for token, value in listed.items():
            fitting = _fitting(before + token, spelled)
            if len(fitting) == 1:
                sums[fitting[0]] += weight * math.exp(min(value, 0.0))
        if any(sums) or (len(_fitting(before + chosen, spelled)) < 2 and (before + chosen).strip()):
            break
        weight *= math.exp(min(listed.get(chosen, 0.0), 0.0))
        before += chosen
    return sums, lowest


def _fitting(text: str, spelled: Sequence[tuple[str, ...]]) -> list[int]:
    """The answers that a text begins, or that stand at its beginning as a word."""
    start = text.strip()

    def fits(form: str) -> bool:
        whole_word = start.startswith(form) and not start[len(form) : len(form) + 1].isalnum()
        return form.startswith(start) or whole_word

    return [number for number, forms in enumerate(spelled) if start and any(map(fits, forms))]


def _listed(choice: Mapping[str, Any]) -> list[tuple[str, dict[str, float]]]:
    """(token, log-probability of each listed token) at each generated place, of both interfaces; empty if not given, or
    if they are no probabilities: not between 0 and 1, or more than 1 together."""
    places = _places(choice.get("logprobs"))
    possible = all(sum(map(math.exp, listed.values())) <= 1 + CLOSE for _, listed in places)
    return places if possible else []


def _places(found: Any) -> list[tuple[str, dict[str, float]]]:
    try:
        if isinstance(found, dict) and isinstance(found.get("content"), list):
            return [
                (str(each["token"]), _summed((t["token"], t["logprob"]) for t in [*each["top_logprobs"], each]))
                for each in found["content"]
            ]
        if isinstance(found, dict) and isinstance(found.get("top_logprobs"), list):
            pairs = zip(found["tokens"], found["top_logprobs"], strict=True)
            return [(str(token), _summed((listed or {}).items())) for token, listed in pairs]
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        return []
    return []


def _summed(listed: Iterable[tuple[Any, Any]]) -> dict[str, float]:
    """Text -> log-probability. Tokens may have the same text, as those with a space before them and without where an
    interface leaves it out: their probabilities are summed. What is listed twice counts once."""
    found: dict[str, float] = {}
    for text, value in dict.fromkeys((str(token), _number(value)) for token, value in listed):
        less, more = sorted((value, found.get(text, -math.inf)))
        found[text] = more + math.log1p(math.exp(less - more))
    return found


def _number(value: Any) -> float:
    """A log-probability. Raises ValueError for another value; OpenAI's interface lists -9999 for the least likely."""
    number = float(value)
    if isinstance(value, bool | str) or math.isnan(number) or number > CLOSE:
        raise ValueError("no log-probability")
    return min(max(number, -1e4), 0.0)


def _text(choice: Any) -> str:
    message = choice.get("message") if isinstance(choice, dict) else None
    text = (
        message.get("content") if isinstance(message, dict) else choice.get("text") if isinstance(choice, dict) else ""
    )
    return text if isinstance(text, str) else ""


def _said(text: str, spelled: Sequence[tuple[str, ...]]) -> int | None:
    """The answer that a text gives: the one whose spelling stands in it as a word; None if none or several do."""
    found = [
        number
        for number, forms in enumerate(spelled)
        if any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms)
    ]
    return found[0] if len(found) == 1 else None
