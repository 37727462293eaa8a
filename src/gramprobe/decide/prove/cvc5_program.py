"""cvc5 as a program: SMT-LIB on standard input, the result, the version and the proof on standard output.

It is a process of its own, so that it can be ended from outside: cvc5 does not always heed its time limit (finite model
finding with a dozen individuals). Finite model finding (Reynolds et al. 2013) also refutes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any


def main(text: str) -> str:
    """Three parts, one after the other: `sat`, `unsat` or `unknown`; the version; for `unsat` the proof."""
    cvc5: Any = import_module("cvc5")
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("finite-model-find", "true")
    solver.setOption("produce-proofs", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "problem")
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, parser.getSymbolManager())
    result = solver.checkSat()
    status = "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"
    proof = solver.proofToString(solver.getProof()[0]) if status == "unsat" else ""
    return f"{status}\n{cvc5.__version__}\n{proof.decode() if isinstance(proof, bytes) else proof}"


if __name__ == "__main__":
    sys.stdout.write(main(sys.stdin.read()))
