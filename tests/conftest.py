"""What every test may rely on: Hypothesis profiles, a cache of the run's own, shared datasets, the `accept` switch."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from support import shipped
from support.cpu import CpuSeconds
from support.datasets import READ_BACK, SharedDatasets
from support.kept import outlive
from xdist.remote import Producer
from xdist.scheduler.loadscope import LoadScopeScheduling

from gramprobe.dataset import agreement
from gramprobe.dataset.gates.reading import MOST, RoundTrip
from gramprobe.dataset.read import Dataset
from gramprobe.project import Project

# `fast` tries the same few examples in every run, so that a red test is red for everybody; `full` tries many new ones.
settings.register_profile(
    "fast", max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", max_examples=1000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("GRAMPROBE_TEST_PROFILE", "fast"))

#: programs that no package of the extra `outside` brings: a test that needs one is skipped where it is not installed
PROGRAMS = ("eprover", "chromium", "chromedriver", "Rscript", "npm", "link-parser")


#: markers of tests that are no matter of milliseconds
DEAR = ("slow", "process", "docs")


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a cache folder of its own, which its workers share: engines are tested, not what they derived the
    last time, but what several tests build is decided once. GRAMPROBE_TEST_CACHE names a folder in which verdicts and
    parsers outlive the run."""
    os.environ.pop("GRAMPROBE_CACHE", None)
    for uses_all_cores in ("GRAMPROBE_JOBS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(uses_all_cores, "1")  # pytest-xdist uses the cores
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # where a test has two threads, none spins
    gc.set_threshold(10_000_000, 50, 100)  # most of what tests make is kept, and is no garbage
    if not hasattr(config, "workerinput"):  # a worker of pytest-xdist has the variable from its controller
        folder = tempfile.TemporaryDirectory(prefix="gramprobe-tests-", ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        kept = os.environ.get("GRAMPROBE_TEST_CACHE")
        home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
        os.environ.setdefault("MPLCONFIGDIR", str(home / "matplotlib"))  # its list of fonts takes longer than a figure
        os.environ["XDG_CACHE_HOME"] = folder.name
        os.environ["XDG_STATE_HOME"] = os.path.abspath(kept) if kept else folder.name
        if kept:
            outlive(Path(folder.name), Path(kept))
    if config.getoption("--cpu"):
        config.pluginmanager.register(CpuSeconds(hasattr(config, "workerinput")), "cpu")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Work in the folder of the run, outside the checkout: messages name a shipped file by its path from here, so that
    what is read and resolved of one, in the checkout and in the folder of a test, would be two things."""
    sys.path[:] = map(os.path.abspath, sys.path)
    if "PYTHONPATH" in os.environ:
        os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep)))
    session.config.add_cleanup(partial(os.chdir, os.getcwd()))
    os.chdir(os.environ["XDG_CACHE_HOME"])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--accept``: golden outputs are recorded anew instead of compared; and ``--cpu`` (`support.cpu`)."""
    parser.addoption("--accept", action="store_true", help="record the golden outputs anew")
    parser.addoption("--cpu", action="store_true", help="print the CPU seconds of each file and its dearest tests")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `outside` where what it needs is not installed. In `make test-outside` it fails instead."""
    for marker in item.iter_markers("outside"):
        for name in marker.args:
            if name in PROGRAMS:
                if shutil.which(name) is None:
                    pytest.skip(f"the program {name} is not installed")
            elif find_spec(name) is None:
                if os.environ.get("GRAMPROBE_TEST_OUTSIDE"):
                    pytest.fail(f"the package {name} is not installed", pytrace=False)
                pytest.skip(f"the package {name} is not installed: make test-outside")


#: what asks for one of these is slow: it may be the first to ask, who builds a dataset or imports torch for a model
DEAR_FIXTURES = frozenset({"datasets", "mixtures", "model"})


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whatever asks for a dear fixture is slow, without a marker of its own."""
    if not DEAR_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.slow)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that have most dear tests, so that no worker is left alone with one of them at the end."""
    dear = Counter(item.path for item in items if any(map(item.get_closest_marker, DEAR)))
    items.sort(key=lambda item: -dear[item.path])  # stable: the tests of a file stay together, and in their order


_MODULES = count()
#: files that look at every paradigm: together in one worker, they count the space of each once
OF_EVERY_PARADIGM = (
    "golden/test_golden_sentences.py",
    "laws/test_round_trip.py",
    "laws/test_space.py",
    "laws/test_words.py",
    "lexicon/test_reachable.py",
)


#: files that run language models: together in one worker, they import torch and transformers and make tiny models once
OF_MODELS = (
    "analysis/test_imppres.py",
    "cli/test_report.py",
    "docs/test_docs.py",
    "errors/test_bad_files.py",
    "packaging/test_models.py",
)
OF_MODELS_FOLDERS = ("tests/finetune/", "tests/score/")
#: so many workers have others to do while one is with all of these
FEW_WORKERS = 4


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """The tests of a file run in one worker, which loads what they share once, and so do those `OF_EVERY_PARADIGM` and,
    with few workers, those `OF_MODELS`."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        if file.endswith(OF_EVERY_PARADIGM):
            return "every paradigm"
        of_models = file.endswith(OF_MODELS) or file.startswith(OF_MODELS_FOLDERS)
        return "models" if of_models and self.numnodes <= FEW_WORKERS else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFile:
    """Deal the tests to the workers."""
    return ByFile(config, log)


@pytest.fixture(scope="session")
def recorded(accept: bool) -> Callable[[str, Path], None]:
    """Compares a text with its recording, or records it (`--accept`)."""

    def compare(now: str, place: Path) -> None:
        if accept:
            place.parent.mkdir(exist_ok=True)
            place.write_text(now, "utf-8")
        assert place.is_file(), f"{place} is not recorded: run pytest --accept, and read it"
        assert now == place.read_text("utf-8"), f"read what is new in {place.name}, then record it: pytest --accept"

    return compare


@pytest.fixture(scope="session")
def accept(request: pytest.FixtureRequest) -> bool:
    """Whether this run records golden outputs (`make accept`) instead of comparing them."""
    return bool(request.config.getoption("--accept"))


@pytest.fixture(scope="session")
def project() -> Project:
    """The shipped files as `gramprobe.load()` gives them, loaded once for each process. Tests only read it."""
    return shipped.project()


@pytest.fixture(autouse=True, scope="session")
def few_shapes_are_read_back() -> Iterator[None]:
    """Of each paradigm that tests build or check, `READ_BACK` shapes are read back."""
    with mock.patch.object(RoundTrip.__init__, "__defaults__", (READ_BACK,)):
        yield


@pytest.fixture
def all_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many shapes of a paradigm are read back in this test as in any other process."""
    monkeypatch.setattr(RoundTrip.__init__, "__defaults__", (MOST,))


@pytest.fixture
def nothing_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every load of this test resolves the shipped files again, whatever this process has loaded before."""
    monkeypatch.setattr("gramprobe.resolve.memory.MOST", 0)
    monkeypatch.setattr("gramprobe.resolve.memory._shipped", OrderedDict())


@pytest.fixture(scope="session")
def datasets(project: Project, tmp_path_factory: pytest.TempPathFactory) -> SharedDatasets:
    """Datasets of the shipped files, built once for the whole run. A test that changes one copies it first."""
    base = tmp_path_factory.getbasetemp()
    inside_worker = "PYTEST_XDIST_WORKER" in os.environ
    return SharedDatasets(project, (base.parent if inside_worker else base) / "shared-datasets")


@pytest.fixture(autouse=True, scope="module")
def what_stays_is_not_searched_for_garbage() -> None:
    """Take what earlier modules left in memory out of the collector's sight: a sixth of the time of all tests went into
    looking through grammars and datasets that are kept for the whole run. What nobody keeps is collected before that:
    once frozen, it would stay for ever. After every fourth module: it takes a twentieth of a second."""
    if next(_MODULES) % 4 == 0:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def shared_datasets_are_checked_once() -> Iterator[None]:
    """Whoever opens a dataset holds its labels against each other, and its tables against what builds write: a
    twentieth of the time of all tests went into finding this of the same datasets again."""
    once = SharedDatasets.checked_once
    with (
        mock.patch.object(agreement, "check_labels", once(agreement.check_labels)),
        mock.patch.object(Dataset, "_check_parquet", once(Dataset._check_parquet)),
    ):
        yield


@pytest.fixture(autouse=True, scope="session")
def shared_datasets_stay_unchanged() -> Iterator[None]:
    """Fail the run at its end if a test changed a dataset that it shares with others."""
    yield
    changed = SharedDatasets.changed()
    assert not changed, f"a test changed a shared dataset; copy it first: {changed}"
