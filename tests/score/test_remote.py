"""Shards on a Ray cluster: the bytes of one process, whatever dies; and a sentence for what cannot be used."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.datasets import FEW

from gramprobe.cache import program_version
from gramprobe.score.results import read_scores
from gramprobe.score.run import score
from gramprobe.score.shared import placed
from gramprobe.source.diagnostic import UsageError
from gramprobe.work import cluster as clusters
from gramprobe.work.cluster import Cluster, Failed, Pool, connected
from score.conftest import Model, order
from score.test_run import files

RAY = pytest.mark.outside("ray")


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """A cluster of two nodes with a CPU each; a test that ends a node adds another."""
    os.environ.update(clusters._SETTINGS)
    from ray.cluster_utils import Cluster as Nodes

    nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    yield nodes
    nodes.shutdown()


@pytest.fixture(scope="module")
def reference(model: Model, scope: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in one process, in six shards. Not to be changed."""
    out = tmp_path_factory.mktemp("one") / "scores"
    score(order(scope, model("gpt2"), out, shard=1))
    return out


@RAY
@pytest.mark.process
def test_a_run_has_the_same_bytes_when_a_machine_dies(
    machines: Any, reference: Path, model: Model, scope: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores"
    ended: list[int] = []

    def ending(what: str, done: int, of: int) -> None:
        if what == "scoring" and not ended:
            ended.append(done)
            machines.remove_node(machines.list_all_nodes()[-1], allow_graceful=False)

    try:
        score(order(scope, model("gpt2"), out, shard=1, engine="ray", address=machines.address, workers=2), ending)
    finally:
        machines.add_node(num_cpus=1)
        machines.wait_for_nodes()
    assert ended == [1]
    assert files(out) == files(reference)
    (session,) = read_scores(out).run.sessions
    assert (session.engine, session.workers, session.shards) == ("ray", 2, FEW)


@RAY
@pytest.mark.process
def test_a_run_goes_on_where_it_was_ended_on_whatever_engine(
    machines: Any, reference: Path, model: Model, scope: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores"
    what = order(scope, model("gpt2"), out, shard=1)

    def ending(what: str, done: int, of: int) -> None:
        if done == 2:  # of the second shard, whose file is not there yet
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(what, ending)
    there = order(scope, model("gpt2"), out, shard=1, resume=True, engine="ray", address=machines.address)
    assert score(there).settings == read_scores(reference).run.settings
    assert files(out) == files(reference)
    assert [(s.engine == "ray", s.shards) for s in read_scores(out).run.sessions] == [(True, FEW - 1)]


# ---- what dies


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    """A cluster of this machine."""
    with connected(workers=2) as cluster:
        yield cluster


def pool(local: Cluster, folder: Path, **options: Any) -> Pool[str]:
    """Two actors that note what they begin."""
    return Pool(local, "support.remote:noting", {"folder": str(folder), **options}, 2)


def starts(folder: Path) -> dict[str, int]:
    """Unit -> how often it was begun."""
    return {file.name: len(file.read_text().splitlines()) for file in sorted(folder.iterdir())}


@RAY
@pytest.mark.process
def test_what_an_actor_was_doing_when_it_died_is_done_again(local: Cluster, tmp_path: Path) -> None:
    with pool(local, tmp_path, deaths={"b": 2}) as actors:
        assert dict(actors.each("abcd")) == {"a": "A", "b": "B", "c": "C", "d": "D"}
    assert starts(tmp_path) == {"a": 1, "b": 3, "c": 1, "d": 1}


@RAY
@pytest.mark.process
def test_what_ends_every_actor_is_named_after_three_tries(local: Cluster, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did b died, 3 times") as error, pool(local, tmp_path, deaths={"b": 9}) as own:
        list(own.each("abcd"))
    assert error.value.code == "E62"
    assert starts(tmp_path)["b"] == clusters.TRIES


@RAY
@pytest.mark.process
def test_actors_that_never_get_ready_end_the_run(local: Cluster, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="end before they are ready"), pool(local, tmp_path, dead=True) as actors:
        list(actors.each("abcd"))


@RAY
@pytest.mark.process
def test_an_error_of_a_unit_is_given_and_ends_no_other(local: Cluster, tmp_path: Path) -> None:
    with pool(local, tmp_path, refused="b") as actors:
        found = dict(actors.each("abc"))
    assert isinstance(found["b"], Failed)
    assert found.pop("b").text == "ValueError: b is refused"
    assert found == {"a": "A", "c": "C"}


@RAY
@pytest.mark.process
def test_results_in_order_wait_for_the_first(local: Cluster, tmp_path: Path) -> None:
    begun: list[str] = []

    def units() -> Iterator[str]:
        for unit in "abcdef":
            begun.append(unit)
            yield unit

    with pool(local, tmp_path, after={"a": "c"}) as actors, closing(actors.in_order(units(), 3)) as found:
        assert next(found) == ("a", "A")
        assert begun == ["a", "b", "c"]
        assert [unit for unit, _ in found] == list("bcdef")


@RAY
@pytest.mark.process
def test_results_that_nobody_waits_for_are_not_taken_for_others(local: Cluster, tmp_path: Path) -> None:
    with pool(local, tmp_path, after={"a": "c"}) as actors:
        with closing(actors.each("ab")) as found:
            assert next(found) == ("b", "B")
        assert dict(actors.each("cd")) == {"c": "C", "d": "D"}


# ---- what cannot be used


@RAY
@pytest.mark.process
def test_a_machine_that_lacks_a_file_is_named(local: Cluster, tmp_path: Path) -> None:
    local.check([str(tmp_path)], str(tmp_path))
    with pytest.raises(UsageError, match=r"the machine [\d.]+ of the cluster cannot be used: there is no `/no/set`"):
        local.check(["/no/set"], str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_shared_is_seen(tmp_path: Path) -> None:
    mark, version = tmp_path / "mark", program_version()
    assert "is not shared" in clusters._lacking([], str(mark), "word", version)
    mark.write_text("another")
    assert "is not shared" in clusters._lacking([], str(mark), "word", version)
    mark.write_text("word")
    assert clusters._lacking([], str(mark), "word", version) == ""
    assert "another version" in clusters._lacking([], str(mark), "word", "older")


@RAY
@pytest.mark.process
def test_other_settings_on_a_machine_end_the_run(model: Model, scope: Path, tmp_path: Path) -> None:
    from gramprobe.score.job import job_of, open_source
    from gramprobe.score.shared import _alike
    from gramprobe.score.shared import work as scoring

    what = placed(order(scope, model("gpt2"), tmp_path, engine="ray"))
    alike = _alike(job_of(what, open_source(what)))
    options = {"order": msgspec.to_builtins(what), "alike": {**alike, "versions": {"torch": "0"}}}
    with pytest.raises(UsageError, match="it would give other scores: `versions` was"), scoring(options):
        pass


@pytest.mark.parametrize("prefix", ["", "ngram:", "vectors:"])
def test_an_actor_is_given_whole_paths(prefix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()
    assert placed(order(Path("data"), f"{prefix}there", Path("out"))).model == f"{prefix}{tmp_path / 'there'}"
    assert placed(order(Path("data"), "reader:bag", Path("out"))).model == "reader:bag"
    assert placed(order(Path("data"), f"{prefix}owner/name", Path("out"))).model == f"{prefix}owner/name"


def test_without_ray_the_extra_is_named(
    model: Model, scope: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="needs the package `ray`") as error:
        score(order(scope, model("gpt2"), tmp_path / "scores", engine="ray"))
    assert (error.value.code, error.value.help) == ("E62", "pip install 'gramprobe[ray]'")
    assert not (tmp_path / "scores").exists()


@pytest.mark.parametrize("version", ["2.40.0", "2.58.1", "1.99"])
def test_a_ray_that_lets_everybody_in_starts_no_cluster(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "version", lambda package: version)
    monkeypatch.setattr(clusters, "find_spec", lambda package: object())
    with pytest.raises(UsageError, match=f"Ray {re.escape(version)} has no tokens") as error, connected():
        pass
    assert error.value.code == "E62"


@pytest.mark.parametrize("address", ["10.0.0.7", "host:port", "host:123456", "a b:1", "http://host:80"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="is no address of a Ray cluster"):
        clusters.check_address(address)


@RAY
@pytest.mark.parametrize("address", ["", "auto", "10.0.0.7:6379", "head.local:6379", "ray://head:10001", "[::1]:6379"])
def test_addresses_of_clusters(address: str) -> None:
    clusters.check_address(address)


@RAY
def test_where_nothing_answers_the_command_ends_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with (
        pytest.raises(UsageError, match=f"at `127.0.0.1:{port}` cannot be reached: .*refused") as error,
        connected(f"127.0.0.1:{port}"),
    ):
        pass
    assert error.value.code == "E62"


def test_an_address_without_the_engine_is_refused(model: Model, scope: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--address is for a cluster"):
        score(order(scope, model("gpt2"), tmp_path / "scores", address="10.0.0.7:6379"))


ENDLESS = """\
import sys
from gramprobe.work.cluster import Pool, connected
from gramprobe.cli.main import _terminated_by_sigterm

sys.path.append(sys.argv[1])
options = {"folder": sys.argv[2], "after": {"a": "never"}}
with _terminated_by_sigterm(), connected(workers=2) as cluster:
    with Pool(cluster, "support.remote:noting", options, 2) as pool:
        list(pool.each("a"))
"""


@RAY
@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by their environment")
@pytest.mark.parametrize(("number", "error"), [(signal.SIGINT, "KeyboardInterrupt"), (signal.SIGTERM, "Terminated")])
def test_a_command_that_is_ended_leaves_no_process(number: int, error: str, tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    command = [sys.executable, "-c", ENDLESS, str(Path(__file__).parents[1]), str(tmp_path)]
    environment = {**os.environ, "GRAMPROBE_TEST_MARK": mark}
    with subprocess.Popen(command, env=environment, start_new_session=True, stderr=subprocess.PIPE) as process:
        wait_for((tmp_path / "a").exists)
        assert len(marked(mark)) > 3  # the command, Ray's own processes, actors
        os.killpg(process.pid, number)
        _, said = process.communicate(timeout=60)
    assert process.returncode
    assert error in said.decode().splitlines()[-1]
    wait_for(lambda: not marked(mark))


def marked(mark: str) -> list[str]:
    """The commands of the processes that have a mark in their environment."""
    found = []
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and mark.encode() in (place / "environ").read_bytes():
                found.append((place / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return [command for command in found if command]


def wait_for(true: Any, seconds: float = 60) -> None:
    """Wait until something holds; fail if it never does."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it never came about"
        time.sleep(0.2)


LISTENING = """
import os
import re
from pathlib import Path

from gramprobe.work.cluster import connected

TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
LOOPBACK = ("0100007F", "00000000000000000000000001000000")


def sockets():
    \"\"\"Socket -> the address at which it listens, as the system writes it.\"\"\"
    rows = [line.split() for table in TABLES for line in Path(table).read_text().splitlines()[1:]]
    return {row[9]: row[1] for row in rows if row[3] == "0A"}


before = sockets()
with connected(workers=1):
    started = {address for socket, address in sockets().items() if socket not in before}
    print(len(started), [address for address in started if not address.partition(":")[0].endswith(LOOPBACK)])
"""


@RAY
@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system shows no sockets")
def test_a_cluster_of_this_machine_listens_to_it_alone() -> None:
    """Sockets that other programs open meanwhile count too, so that a failure may be theirs."""
    done = subprocess.run([sys.executable, "-c", LISTENING], capture_output=True, text=True, check=True)
    count, others = done.stdout.strip().split(" ", 1)
    assert int(count) > 2
    assert others == "[]"
