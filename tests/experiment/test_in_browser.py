"""The page of an experiment in a real browser, with jsPsych from npm: played through, its answers read back."""

from __future__ import annotations

import functools
import http.server
import json
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest
from support.browser import chromium
from support.datasets import FEW, SharedDatasets
from support.relatives import CLAUSES, rows_of

from gramprobe.cli.main import main
from gramprobe.experiment.platforms.jspsych import PACKAGES, SELF_PACED
from gramprobe.experiment.trials import Experiment, read

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.outside("selenium", "chromium", "chromedriver", "npm")]

# Does what a person would at once: presses the button that stands at a place, or says that there is a sentence to read.
STEP = """
const buttons = [...document.querySelectorAll('.jspsych-content button')].filter(each => !each.disabled);
if (document.body.dataset.finished) return 'finished';
if (buttons.length) { buttons[Math.min(arguments[0], buttons.length - 1)].click(); return 'pressed'; }
return document.querySelector('canvas') ? 'read' : '';
"""
# Presses the button of the first page, as soon as it is there.
START = """
const start = document.querySelector('.jspsych-content .page') && document.querySelector('.jspsych-content button');
start?.click();
return Boolean(start);
"""
VIOLATIONS = """
window.violations = [];
document.addEventListener('securitypolicyviolation', each => violations.push(each.violatedDirective));
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of the page, of npm."""
    place = tmp_path_factory.mktemp("node")
    wanted = [f"{name}@{version}" for name, version in (PACKAGES | SELF_PACED).items()]
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", *wanted]
    subprocess.run(command, cwd=place, check=True)
    return place / "node_modules"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium"), downloads) as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": VIOLATIONS})
        yield driver


@pytest.fixture(scope="module")
def read_aloud(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reading")
    rows_of(place, CLAUSES)
    return place / "data" / "reading"


def written(dataset: Path, out: Path, *options: str) -> Experiment:
    assert main(["lists", str(dataset), "--platform", "jspsych", "--out", str(out), *options]) == 0
    return read(out)


def played(browser: Any, address: str, place: int = 0) -> None:
    """Play a page to its end. The same button is pressed in every trial."""
    browser.get(address)
    body = browser.find_element("tag name", "body")
    until = time.monotonic() + 120
    while (step := browser.execute_script(STEP, place)) != "finished":
        assert time.monotonic() < until, browser.page_source[-2000:]
        if step == "read":
            body.send_keys(" ")
        time.sleep(0.02)
    assert browser.execute_script("return violations") == []


def saved(browser: Any, downloads: Path) -> list[dict[str, Any]]:
    """Save the answers as a person would, and read the file."""
    for each in downloads.iterdir():
        each.unlink()
    browser.find_element("css selector", "a.jspsych-btn").click()
    until = time.monotonic() + 20
    while not (found := [each for each in downloads.glob("*.json") if each.stat().st_size]):  # it is made empty
        assert time.monotonic() < until
        time.sleep(0.05)
    answers: list[dict[str, Any]] = json.loads(found[0].read_text("utf-8"))
    list_, person = answers[0]["list"], answers[0]["person"]
    assert found[0].name == f"answers-{list_}-{person}.json" and len(person) == 16
    return answers


def read_back(downloads: Path, dataset: Path, experiment: Path, out: Path) -> Path:
    (file,) = downloads.glob("*.json")
    arguments = ["judgments", str(file), "--dataset", str(dataset), "--experiment", str(experiment)]
    assert main([*arguments, "--out", str(out)]) == 0
    return out


def test_a_choice_is_played_from_the_disk(
    browser: Any, downloads: Path, modules: Path, datasets: SharedDatasets, tmp_path: Path
) -> None:
    dataset = datasets("scope/choice_universal_indefinite", n=FEW)
    evil = "<img src=x onerror='document.title=1'></script><b>bold</b>"
    (tmp_path / "f.csv").write_text(f'sentence,option_a,option_b\n"{evil}","{evil}",no\n')
    (tmp_path / "agree.txt").write_text(f"I <b>agree</b>.\n\n{evil}")
    files = ("--fillers", str(tmp_path / "f.csv"), "--consent", str(tmp_path / "agree.txt"))
    experiment = written(dataset, tmp_path / "out", "--kind", "choice", "--bundle", str(modules), *files)
    page = tmp_path / "out/experiment.html"
    assert page.stat().st_size < 700_000
    browser.get(f"{page.as_uri()}?list=2")
    assert evil in browser.find_element("tag name", "body").text, "texts are shown as they stand"
    played(browser, f"{page.as_uri()}?list=2", place=1)
    answers = saved(browser, downloads)
    assert [(a["list"], a["position"], a["id"]) for a in answers] == [
        (2, trial.position, trial.id) for trial in experiment.of_list(2)
    ]
    assert [a["answer"] for a in answers] == [trial.options[1] for trial in experiment.of_list(2)]
    assert {a["list_from"] for a in answers} == {"address"} and all(a["rt"] >= 0 for a in answers)
    assert {a["experiment"] for a in answers} == {experiment.plan.trials[:16]}
    assert browser.title == "Reading sentences"
    out = read_back(downloads, dataset, tmp_path / "out", tmp_path / "people")
    assert (out / "answers.parquet").is_file()


def test_a_list_is_drawn_where_none_is_asked_for_and_another_is_refused(
    browser: Any, downloads: Path, modules: Path, read_aloud: Path, tmp_path: Path
) -> None:
    options = ("--kind", "acceptability", "--instances", "2", "--bundle", str(modules))
    experiment = written(read_aloud, tmp_path / "out", *options)
    address = (tmp_path / "out/experiment.html").as_uri()
    seen = set[int]()
    for _ in range(12):
        played(browser, address)
        answers = saved(browser, downloads)
        seen.add(answers[0]["list"])
        assert answers[0]["list_from"] == "drawn"
        turned = experiment.of_list(answers[0]["list"])[0].levels["side"] == "reversed"
        assert {a["answer"] for a in answers} == {"0" if turned else "1"}
    assert len(seen) > 1 and seen <= set(range(1, experiment.plan.lists + 1))
    for wrong in ("0", "99", "x", "1.5"):
        browser.get(f"{address}?list={wrong}")
        assert "a list that there is not" in browser.find_element("tag name", "body").text


def test_words_are_read_one_by_one(
    browser: Any, downloads: Path, modules: Path, read_aloud: Path, tmp_path: Path
) -> None:
    (tmp_path / "f.csv").write_text(
        "sentence,context,question,expected\n" + f"{'A long sentence. ' * 9},Hm.,True?,yes\n"
    )
    options = ("--kind", "self_paced", "--fillers", str(tmp_path / "f.csv"), "--instances", "4")
    experiment = written(read_aloud, tmp_path / "out", *options, "--bundle", str(modules))
    played(browser, f"{(tmp_path / 'out/experiment.html').as_uri()}?list=1")
    answers = saved(browser, downloads)
    for trial in experiment.of_list(1):
        words = [a for a in answers if a["position"] == trial.position and "word" in a]
        assert " ".join(a["word"] for a in words) == trial.texts["sentence"]
        assert [a["word_number"] for a in words] == list(range(1, len(words) + 1))
        assert all(a["rt"] > 0 for a in words)
        by_region: dict[str, list[str]] = {}
        for a in words:
            by_region.setdefault(a["region"], []).append(a["word"])
        if trial.regions:
            assert {name: " ".join(own) for name, own in by_region.items()} == {r.name: r.text for r in trial.regions}
    (answer,) = (a for a in answers if "answer" in a)
    assert answer["role"] == "filler" and answer["answer"] in ("yes", "no")
    out = read_back(downloads, read_aloud, tmp_path / "out", tmp_path / "people")
    assert (out / "times.parquet").is_file()


class Server(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, and what is posted to it."""

    posted: ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.posted.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204 if self.path == "/answers" else 500)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()

    def do_OPTIONS(self) -> None:
        self.send_response(204)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "content-type")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the test's folder."""
    handler = functools.partial(Server, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
    Server.posted.clear()


def test_a_served_folder_plays_by_keys_and_says_so_on_the_disk(
    browser: Any, downloads: Path, modules: Path, datasets: SharedDatasets, tmp_path: Path, served: str
) -> None:
    dataset = datasets("presupposition/both", n=FEW)
    options = ("--kind", "nli", "--condition", "trigger-presupposed", "--condition", "negated-presupposed")
    experiment = written(dataset, tmp_path / "out", *options)
    (tmp_path / "out/page/node_modules").symlink_to(modules)
    browser.get((tmp_path / "out/page/index.html").as_uri())
    assert "is to be served" in browser.find_element("tag name", "body").text
    browser.get(f"{served}/out/page/index.html?list=1")
    body = browser.find_element("tag name", "body")
    until = time.monotonic() + 120
    while browser.execute_script("return !document.body.dataset.finished"):
        assert time.monotonic() < until, browser.page_source[-2000:]
        if not browser.execute_script(START):
            body.send_keys("3")
        time.sleep(0.02)
    assert browser.execute_script("return violations") == []
    answers = saved(browser, downloads)
    assert [a["answer"] for a in answers] == [trial.options[2] for trial in experiment.of_list(1)]


@pytest.mark.parametrize("path", ["answers", "broken"])
def test_answers_go_to_the_one_address_that_is_named(
    browser: Any, downloads: Path, modules: Path, read_aloud: Path, tmp_path: Path, served: str, path: str
) -> None:
    options = ("--kind", "rating", "--instances", "1", "--bundle", str(modules), "--save-url", f"{served}/{path}")
    written(read_aloud, tmp_path / "out", *options)
    played(browser, (tmp_path / "out/experiment.html").as_uri(), place=4)
    until = time.monotonic() + 20
    while not browser.find_elements("css selector", "[role=status]"):
        assert time.monotonic() < until
        time.sleep(0.05)
    said = browser.find_element("tag name", "body").text
    (posted,) = Server.posted
    assert [a["answer"] for a in json.loads(posted)] == ["5"]
    if path == "answers":
        assert "were sent" in said and not browser.find_elements("css selector", "a.jspsych-btn")
    else:
        assert "could not be sent" in said and saved(browser, downloads) == json.loads(posted)
    other = "fetch('http://localhost:9/').then(() => 'sent', () => 'stopped').then(arguments[0])"
    assert browser.execute_async_script(other) == "stopped"
    assert browser.execute_script("return violations") == ["connect-src"] and urlsplit(served).port != 9
