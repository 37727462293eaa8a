"""One request to a server and its answer, in bounded time and memory, whatever the server sends.

The key is read from the environment and sent in the header. No redirection is followed.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from gramprobe.source import messages

KEYS = ("GRAMPROBE_API_KEY", "OPENAI_API_KEY")
"""The environment variables in which the key is looked for."""
LARGEST = 1 << 24
"""Bytes of an answer at most: one of eight tokens with twenty listed at each takes some 20,000."""


class Unusable(Exception):
    """A server's answer cannot be read; the text says why, as a clause."""


@dataclass(frozen=True)
class Answer:
    """What a server answered: its status, what it says of the pause before the next try, and the body."""

    status: int
    after: str
    body: bytes


class Exchange:
    """Requests to one server. They may be made from several threads at once; each has a connection of its own."""

    def __init__(self, host: str, timeout: float) -> None:
        """``timeout``: seconds from a request to the last byte of its answer.

        Raises UsageError (E49) for a key that no header can hold, and where the certificates or proxies that the
        environment names cannot be used.
        """
        import httpx

        name = next((name for name in KEYS if os.environ.get(name)), "")
        self.key = os.environ[name].strip() if name else ""
        if not (self.key.isascii() and self.key.isprintable()):
            raise messages.score.bad_key(name)
        self._timeout, self._lock = timeout, threading.Lock()
        self._idle: list[Any] = []
        try:
            self._certificates = httpx.create_ssl_context()
            self._idle.append(self._client())
        except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
            raise messages.score.no_connection(host, str(error)) from None

    def post(self, url: str, content: bytes) -> Answer:
        """Send JSON. Raises TimeoutError, Unusable, and the errors of httpx (`httpx.HTTPError`)."""
        with self._lock:
            client = self._idle.pop() if self._idle else None
        client = client or self._client()
        try:
            answer = _within(self._timeout, partial(_posted, client, url, content))
        except BaseException:
            client.close()  # so that what still goes on in it ends, too
            raise
        with self._lock:
            self._idle.append(client)
        return answer

    def _client(self) -> Any:
        import httpx

        # packed answers are not asked for: a few bytes may unpack to any number
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        key = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.Client(headers=headers | key, timeout=self._timeout, verify=self._certificates)


def _posted(client: Any, url: str, content: bytes) -> Answer:
    with client.stream("POST", url, content=content) as response:
        packed = response.headers.get("Content-Encoding", "identity")
        if packed.strip().lower() not in ("", "identity"):
            raise Unusable("a packed answer, which was not asked for")
        body = bytearray()
        for part in response.iter_raw():
            body += part
            if len(body) > LARGEST:
                raise Unusable(f"an answer of more than {LARGEST >> 20} MB")
        return Answer(response.status_code, response.headers.get("Retry-After", ""), bytes(body))


def _within(seconds: float, call: Callable[[], Answer]) -> Answer:
    """What a call gives; raises TimeoutError if it takes longer, whatever it waits for: the limits of a connection are
    for each read, and an answer that drips would never end. The call goes on in a thread that nothing waits for."""
    found: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()

    def run() -> None:
        try:
            found.put(call())
        except BaseException as error:
            found.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        answer = found.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, BaseException):
        raise answer
    return answer
