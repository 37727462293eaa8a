"""`make bench-score`: how fast a model behind an endpoint is asked, beside a bare client of the same server.

A server on the loopback answers each request after a fixed time, so that its own rate with N requests in flight is N
divided by that time. The bare client is http.client in N threads that keep their connections and read nothing of the
answers. Both ask the same questions in turn.

    scripts/bench_endpoint.py --seconds 0.2
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from figures import record_figures

from gramprobe.score.engines.endpoint import EndpointEngine, EndpointOptions, Prepared
from gramprobe.score.request import Continue, Refusal

SERVER = """
import json, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

listed = [{"token": f"T{i}", "logprob": -2.0 - i} for i in range(19)] + [{"token": "True", "logprob": -0.1}]
content = [{"token": "True", "logprob": -0.1, "top_logprobs": listed}]
BODY = json.dumps({"choices": [{"message": {"content": "True"}, "logprobs": {"content": content}}]}).encode()

class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize, disable_nagle_algorithm = "HTTP/1.1", 1 << 16, True

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(float(sys.argv[1]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *args):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
server.serve_forever()
"""


def bare(port: int, questions: list[Prepared], in_flight: int) -> None:
    """Ask all questions, and read the answers as bytes."""
    own = threading.local()

    def ask(question: Prepared) -> None:
        if not hasattr(own, "connection"):
            own.connection = http.client.HTTPConnection("127.0.0.1", port)
        body = json.dumps(question.body)
        own.connection.request("POST", f"/v1{question.path}", body, {"Content-Type": "application/json"})
        own.connection.getresponse().read()

    with ThreadPoolExecutor(in_flight) as pool:
        list(pool.map(ask, questions))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.2, help="what the server takes for an answer")
    parser.add_argument("--in-flight", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(options.seconds)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        port, count = int(server.stdout.readline()), int(4 / options.seconds) * options.in_flight
        engine = EndpointEngine("m", EndpointOptions(url=f"http://127.0.0.1:{port}/v1", in_flight=options.in_flight))
        prepared = [engine.prepare(Continue((("user", f"Is it {n}?"),), (("True",), ("False",)))) for n in range(count)]
        questions = [each for each in prepared if not isinstance(each, Refusal)]
        engine.answer(questions[: 2 * options.in_flight])
        times: dict[str, list[float]] = {"bare": [], "gramprobe": []}
        for _ in range(options.rounds):
            for name, ask in (
                ("bare", lambda: bare(port, questions, options.in_flight)),
                ("gramprobe", lambda: engine.answer(questions)),
            ):
                start = time.monotonic()
                ask()
                times[name].append(time.monotonic() - start)
    finally:
        server.kill()
    own = options.in_flight / options.seconds
    rates = {name: count / statistics.median(each) for name, each in times.items()}
    print(f"the server's own rate {own:.1f}/s; bare {rates['bare']:.1f}/s; gramprobe {rates['gramprobe']:.1f}/s")
    record_figures({"endpoint": rates["gramprobe"] / own})
    return 0


if __name__ == "__main__":
    sys.exit(main())
