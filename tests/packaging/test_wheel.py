"""What is published: a wheel and an sdist that carry the grammars, and a bare wheel that runs from anywhere.

No network: the build uses the installed hatchling, and the new environment borrows the packages of this one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from gramprobe import __version__

pytestmark = pytest.mark.outside("build", "hatchling", "mypy")

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("grammars", "languages", "lexicon", "logic")


@dataclass(frozen=True, slots=True)
class Built:
    """The sdist, the wheel made from it, and the wheel made from the checkout."""

    sdist: Path
    wheel: Path
    wheel_of_checkout: Path


def run(*command: str | Path, cwd: Path, **variables: str) -> str:
    """The output of a command that must succeed; no variable of this run leads it to the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GRAMPROBE"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=kept | variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the sdist with a wheel from it, as a publisher does, and a wheel straight from the checkout."""
    published, straight = tmp_path_factory.mktemp("published"), tmp_path_factory.mktemp("straight")
    build = (sys.executable, "-m", "build", "--no-isolation", ROOT, "--outdir")
    run(*build, published, cwd=ROOT)
    run(*build, straight, "--wheel", cwd=ROOT)
    (sdist,), (wheel,) = published.glob("*.tar.gz"), published.glob("*.whl")
    (of_checkout,) = straight.glob("*.whl")
    return Built(sdist, wheel, of_checkout)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new virtual environment with the wheel in it; what it depends on is looked up in this one."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install"),
        *("--quiet", "--no-deps", "--no-index", built.wheel),
        cwd=home,
    )
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip()
    # What a .pth names comes after the environment's own packages, and .pth files in it (our checkout's)
    # are not read.
    lines = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(site) / "borrowed.pth").write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")
    return home


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def files_of(folder: Path) -> set[str]:
    """The files below a folder, relative to the checkout, without what Python leaves there."""
    return {
        str(file.relative_to(ROOT)) for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts
    }


def test_the_wheel_carries_the_package_and_the_three_folders(built: Built) -> None:
    names = set(contents(built.wheel))
    package = {name.removeprefix("src/") for name in files_of(ROOT / "src" / "gramprobe")}
    data = {f"gramprobe/_data/{name}" for folder in FOLDERS for name in files_of(ROOT / folder)}
    assert any(name.endswith(".lark") for name in package)
    assert any(name.endswith(".paradigm") for name in data)
    info = f"gramprobe-{__version__}.dist-info"
    licences = {f"{info}/licenses/LICENSE"}
    metadata = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    assert names == package | data | licences | metadata


def test_the_sdist_makes_the_wheel_that_the_checkout_makes(built: Built) -> None:
    assert contents(built.wheel) == contents(built.wheel_of_checkout)


def test_the_sdist_carries_what_a_contributor_needs_and_nothing_built(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        *("pyproject.toml", "constraints.txt", "Makefile", "PKG-INFO"),
        *("README.md", "CITATION.cff", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "THIRD_PARTY.md"),
    }
    folders = {"src", "tests", "docs", "scripts", "examples", *FOLDERS}
    assert wanted <= names
    assert {name for folder in folders for name in files_of(ROOT / folder)} <= names
    assert {name.partition("/")[0] for name in names} == wanted | folders | {".gitignore"}


def test_the_bare_wheel_lists_and_samples_from_anywhere(installed: Path, tmp_path: Path) -> None:
    python = installed / "bin" / "python"
    where = run(python, "-c", "import gramprobe; print(gramprobe.__file__)", cwd=Path("/"))
    assert Path(where.strip()).is_relative_to(installed)
    gramprobe = installed / "bin" / "gramprobe"
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    assert "possessed_definites_existence" in run(gramprobe, "list", cwd=Path("/"), **cache)
    sample = run(gramprobe, "sample", "presupposition/only", "--n", "1", cwd=Path("/"), **cache)
    assert " only " in sample


def test_the_wheel_says_that_it_is_typed_and_where_the_project_lives(built: Built) -> None:
    files = contents(built.wheel)
    assert "gramprobe/py.typed" in files
    metadata = files[f"gramprobe-{__version__}.dist-info/METADATA"].decode()
    links = [line for line in metadata.splitlines() if line.startswith("Project-URL: ")]
    assert {line.removeprefix("Project-URL: ").partition(",")[0] for line in links} == {
        *("Homepage", "Documentation", "Changelog", "Issues"),
    }


def test_a_type_checker_sees_the_types_of_an_installed_gramprobe(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text("import gramprobe\nreveal_type(gramprobe.load())\n", "utf-8")
    checked = run(
        *(sys.executable, "-m", "mypy", "--follow-imports=silent", "--python-executable"),
        *(installed / "bin" / "python", "user.py"),
        cwd=tmp_path,
    )
    assert 'Revealed type is "gramprobe.project.Project"' in checked
