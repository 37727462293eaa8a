"""Outside provers, asked only by name (`--oracle NAME`): cvc5 (Barbosa et al. 2022) and E (Schulz, Cruanes &
Vukmirovic 2019).

They read the first-order `translation` and may show that there is no model at all, finite or infinite. The text of the
proof is kept in the certificate; the kernel cannot check it, so that such a label is counted apart. cvc5 comes with the
extra `oracle`; E is the program `eprover`, if it is on the PATH.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias, cast

from gramprobe.certify.classical import Problem
from gramprobe.decide.prove.translation import NotFirstOrder, smt_lib, tptp

NAMES = ("cvc5", "e")
SECONDS = 10.0

Status: TypeAlias = Literal["sat", "unsat", "unknown"]


class NoSuchProver(ValueError):
    """The prover is unknown or not installed: the message says which, and what to do."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a prover.

    Attributes:
        status: `sat` (there is a model), `unsat` or `unknown`.
        version: Of the prover.
        text: The proof, for `unsat`.
    """

    status: Status
    version: str
    text: str = ""


def prove(problem: Problem, name: str, seconds: float = SECONDS) -> dict[str, str] | None:
    """A proof that the problem has no model: `{"kind": "prover", "name", "version", "text"}`.

    None if it has a model, if the prover does not know within the time, and if the problem is not first order (`most`,
    large counts). Raises NoSuchProver.
    """
    answer = ask(problem, name, seconds)
    if answer.status != "unsat":
        return None
    return {"kind": "prover", "name": name, "version": answer.version, "text": answer.text}


def ask(problem: Problem, name: str, seconds: float) -> Reply:
    """The answer of the prover of that name, `unknown` after so many seconds. Raises NoSuchProver."""
    if name not in NAMES:
        raise NoSuchProver(f"no prover named `{name}`: known are {' and '.join(NAMES)}")
    try:
        return _cvc5(smt_lib(problem), seconds) if name == "cvc5" else _eprover(tptp(problem), seconds)
    except NotFirstOrder:
        return Reply("unknown", "")


def _cvc5(text: str, seconds: float) -> Reply:
    """cvc5 in a process of its own, ended when the time is up."""
    if find_spec("cvc5") is None:
        raise NoSuchProver("cvc5 is not installed: pip install 'gramprobe[oracle]'")
    program = Path(__file__).with_name("cvc5_program.py")  # -P: it must not import the modules beside it
    try:
        run = subprocess.run(
            [sys.executable, "-P", str(program)],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Reply("unknown", "")
    status, version, proof = run.stdout.split("\n", 2)
    return Reply(cast(Status, status), version, proof)


_SZS = re.compile(r"^[#%] SZS status (\w+)", re.MULTILINE)
_PROOF = re.compile(r"^[#%] SZS output start.*?^[#%] SZS output end[^\n]*$", re.MULTILINE | re.DOTALL)


def _eprover(text: str, seconds: float) -> Reply:
    """E in automatic mode; its proof is a TSTP derivation."""
    program = shutil.which("eprover")
    if program is None:
        raise NoSuchProver("E is not installed: there is no program `eprover` on the PATH")
    banner = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    version = " ".join(banner.split()[1:2])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problem.p"
        file.write_text(text, encoding="utf-8")
        limit = max(1, round(seconds))
        try:
            run = subprocess.run(
                [program, "--auto", "--proof-object", "--tstp-format", f"--cpu-limit={limit}", str(file)],
                capture_output=True,
                text=True,
                check=False,
                timeout=limit + 5,
            )
        except subprocess.TimeoutExpired:
            return Reply("unknown", version)
    szs, proof = _SZS.search(run.stdout), _PROOF.search(run.stdout)
    if szs is not None and szs[1] in ("Unsatisfiable", "ContradictoryAxioms") and proof is not None:
        return Reply("unsat", version, proof[0].replace(str(file), "problem.p"))
    return Reply("sat" if szs is not None and szs[1] == "Satisfiable" else "unknown", version)
