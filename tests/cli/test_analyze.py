"""`gramprobe analyze`: its options, and what it says of files and options that are wrong."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from gramprobe.analysis import analyze as needed
from gramprobe.analysis.mixed import estimable
from gramprobe.cli.main import main

SCORES = Path(__file__).parents[1] / "analysis" / "scores_10000.parquet"
FORMULA = "bias ~ det * followup + (1 | emb_verb)"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["analyze", "--frame", str(SCORES), "--formula", FORMULA, *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_options_reach_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--json")
    plain = json.loads(out)
    assert (plain["method"], plain["codings"][0]["kind"], plain["rows"]) == ("REML", "sum", 10_000)
    assert "effects" not in plain and "terms" not in plain
    options = ["--ml", "--coding", "followup=helmert", "--levels", "followup=met,liked,greeted", "--effects"]
    code, out, _ = run(capsys, "--json", *options)
    found = json.loads(out)
    assert code == 0 and found["method"] == "ML" and found["deviance"] != plain["deviance"]
    assert found["codings"][0]["levels"] == ["met", "liked", "greeted"]
    assert found["codings"][0]["matrix"] == [[-1, -1], [1, -1], [0, 2]]
    assert len(found["effects"]) == plain["levels"]["emb_verb"] == 30


def test_a_formula_of_several_lines_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    lines = "bias ~ det\n  + (1 | emb_verb)\n  + (1 | matrix_vrb)"
    assert main(["analyze", "--frame", str(SCORES), "--formula", lines]) == 1
    shown = capsys.readouterr().err.split("\n")
    assert "did you mean `matrix_verb`" in shown[0]
    assert shown[2].index("^") == shown[1].index("matrix_vrb")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--coding", "followup"], "`--coding followup` has no `COLUMN=...`"),
        (["--prior", "2"], "--prior is for models of answers"),
        (["--family", "binomial", "--ml"], "--ml does not go with --family binomial"),
        (["--family", "binomial", "--prior", "2", "--anova"], "--anova does not go with --prior"),
        (["--means", "det"], "no factor `det`"),
        (["--equivalence", "0.5"], "--equivalence is for the differences of --means"),
        (["--frame", "nowhere.csv"], "there is no file `nowhere.csv`"),
        (["--frame", __file__ + "/.."], "there is no file"),
    ],
)
def test_wrong_use_is_exit_2_with_a_sentence(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert err.startswith("error[E29]") and message in err


ROWS = [f"{i % 7},{'ab'[i % 2]},w{i % 5},{i % 9}" for i in range(40)]


@pytest.mark.parametrize(
    ("number", "row", "place"),
    [
        (20, "abc,a,w1,3", "frame.csv:25:1: error[E97]: `score` is a column of numbers, but here it has `abc`"),
        (20, "1,a,w1,long", "frame.csv:25:1: error[E97]: `length` is a column of numbers, but here it has `long`"),
        (20, "1,a,w1", "frame.csv:25:1: error[E97]: the row has 3 cells below a heading of 4"),
        (20, "1,5,a,w1,3", "frame.csv:25:1: error[E97]: the row has 5 cells below a heading of 4"),
        (20, ",a,w1,3", "frame.csv:25:1: error[E97]: `score` has no value in one row"),
        (20, "1,a,w\xe9,3", "frame.csv` is no UTF-8, from line 25 on"),
    ],
)
def test_a_cell_or_row_that_fits_no_column_is_named_with_its_line(
    number: int, row: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [*ROWS[:number], row, *ROWS[number:]]
    rows[3] = '1,"a\nb",w1,2\n\n'  # two lines in a cell, and an empty line behind the row, which is no row
    lines = ["score,cond,word,length", *rows]
    (tmp_path / "frame.csv").write_bytes("\r\n".join(lines).encode("latin-1"))
    formula = "score ~ cond + length + (1 | word)"
    assert main(["analyze", "--frame", str(tmp_path / "frame.csv"), "--formula", formula]) in (1, 2)
    assert place in capsys.readouterr().err


def test_a_text_among_numbers_is_a_level_if_the_coding_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{i % 7},{'ab'[i % 2]},w{i % 5},{i % 3}" for i in range(40)]
    (tmp_path / "frame.csv").write_text("\n".join(["score,cond,word,length", *rows, "1,a,w1,more"]) + "\n")
    arguments = ["analyze", "--frame", str(tmp_path / "frame.csv"), "--formula", "score ~ length + (1 | word)"]
    assert main(arguments) == 1
    assert "--coding length=sum" in capsys.readouterr().err
    assert main([*arguments, "--coding", "length=sum"]) == 0
    assert "more" in capsys.readouterr().out


def test_a_factor_that_is_a_predictor_and_groups_the_rows_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "--frame", str(SCORES), "--formula"]
    assert main([*arguments, "bias ~ followup + (1 | followup) + (1 | emb_verb)"]) == 0
    assert "warning: `followup` is a predictor and a grouping factor" in capsys.readouterr().out
    assert main([*arguments, "bias ~ followup + (1 | emb_verb)"]) == 0
    assert "is a predictor and a grouping factor" not in capsys.readouterr().out


def test_scores_that_are_truth_values_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "frame.csv").write_text("score,cond\n" + "true,a\nfalse,b\n" * 4)
    assert main(["analyze", "--frame", str(tmp_path / "frame.csv"), "--formula", "score ~ cond"]) == 1
    assert "no numbers but truth values: write 1 and 0" in capsys.readouterr().err


def test_a_file_that_is_no_parquet_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scores.parquet").write_text("score\n1\n")
    code, _, err = run(capsys, "--frame", str(tmp_path / "scores.parquet"))
    assert code == 2 and "scores.parquet` cannot be read" in err
    (tmp_path / "scores.csv").write_bytes("bias,det\n1,a\n".encode("utf-16"))
    code, _, err = run(capsys, "--frame", str(tmp_path / "scores.csv"))
    assert code == 2 and "scores.csv` is no UTF-8, from line 1 on" in err


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(needed, "find_spec", lambda name: None if name == "formulaic" else real(name))
    code, _, err = run(capsys)
    assert code == 2
    assert "needs formulaic" in err and "gramprobe[analysis]" in err


def test_a_model_with_too_many_effects_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(estimable, "LIMIT", 20)
    code, _, err = run(capsys)
    assert code == 1
    assert "error[E98]: the model has 30 effects of levels, and 14 are the most that are fitted" in err
