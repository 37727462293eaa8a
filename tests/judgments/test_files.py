"""The files that experiments leave, in each form, sound and spoilt: what is read, and what is refused with its line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from gramprobe.judgments.answers import Read
from gramprobe.judgments.files import read_file
from gramprobe.judgments.gather import gather
from gramprobe.source.diagnostic import UsageError

PCIBEX = """#
# Results on Sunday May 02 2021 16:42:49 UTC
# USER AGENT: Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:88.0) Gecko/20100101 Firefox/88.0
# Design number was non-random = 2
#
# Columns below this comment are as follows:
# 1. Results reception time.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Order number of item.
# 5. Inner element number.
# 6. Label.
# 7. Latin Square Group.
# 8. PennElementType.
# 9. PennElementName.
# 10. Parameter.
# 11. Value.
# 12. EventTime.
# 13. Comments.
1619973769,aaaa1111,PennController,0,0,welcome,NULL,PennController,0,_Trial_,Start,1619973764745,NULL
# 13. id.
# 14. list.
# 15. position.
# 16. Comments.
1619973769,aaaa1111,PennController,1,0,trial,NULL,PennController,1,_Trial_,Start,1619973765000,item/1,2,1,NULL
1619973769,aaaa1111,PennController,1,0,trial,NULL,Scale,answer,Choice,neutral,1619973766000,item/1,2,1,NULL
1619973769,aaaa1111,PennController,1,0,trial,NULL,Scale,answer,Choice,entail%2Cment,1619973766500,item/1,2,1,any, x
1619973769,aaaa1111,PennController,1,0,trial,NULL,PennController,1,_Trial_,End,1619973767000,item/1,2,1,NULL
1619973769,aaaa1111,PennController,2,0,trial,NULL,PennController,2,_Trial_,Start,1619973768000,item/2,2,2,NULL
1619973769,aaaa1111,PennController,2,0,trial,NULL,Key,answer,PressedKey,J,1619973768700,item/2,2,2,NULL
1619973999,bbbb2222,PennController,1,0,trial,NULL,Scale,answer,Choice,neutral,1619973766000,item/1,1,1,NULL
# 13. Reading time.
# 14. Newline?.
# 15. Sentence (or sentence MD5).
# 16. id.
# 17. list.
# 18. position.
# 19. Comments.
1619973999,bbbb2222,PennController,3,0,r,NULL,Controller-DashedSentence,d,1,A,16,319,false,A b.,item/3,1,2,NULL
1619973999,bbbb2222,PennController,3,0,r,NULL,Controller-DashedSentence,d,2,b%2C,16,256,false,A b.,item/3,1,2,NULL
"""
JSPSYCH: list[dict[str, Any]] = [
    {"trial_type": "html-button-response", "trial_index": 0, "plugin_version": "2.1.0", "response": 0, "rt": 900},
    {
        "trial_type": "html-button-response", "trial_index": 1, "plugin_version": "2.1.0", "response": 1, "rt": 1200,
        "id": "item/1", "list": 3, "position": 1, "options": ["yes", "no"], "stimulus": "<b>x</b>",
        "PROLIFIC_PID": "5f0", "user_agent": "Mozilla",
    },
    {
        "trial_type": "survey-likert", "trial_index": 2, "plugin_version": "2.2.0", "response": {"Q0": 4}, "rt": 800,
        "id": "item/2",
    },
    {
        "trial_type": "self-paced-reading", "trial_index": 3, "plugin_version": None, "id": "item/3",
        "word": [None, "The", "cat"], "rt": [100.5, 300.25, 250], "rt_total": [1, 2, 3], "sentence": "The cat",
    },
    {
        "trial_type": "html-keyboard-response", "trial_index": 4, "plugin_version": "2.0.0", "response": "f",
        "rt": 700, "id": "item/4",
    },
    {"trial_type": "html-slider-response", "trial_index": 5, "response": 63, "rt": 700, "id": "item/5"},
    {"trial_type": "any-of-ours", "trial_index": 6, "answer": "neutral", "rt": None, "id": "item/6"},
    {"trial_type": "html-button-response", "trial_index": 7, "response": None, "rt": None, "id": "item/7"},
]  # fmt: skip


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def jspsych_csv(rows: list[dict[str, Any]]) -> str:
    """What `jsPsych.data.get().csv()` writes: what is no text and no number is JSON."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    lines = csv.writer(out, quoting=csv.QUOTE_ALL)
    lines.writerow(names)
    for row in rows:
        cells = (row.get(name, "") for name in names)
        lines.writerow(json.dumps(cell) if isinstance(cell, dict | list) or cell is None else cell for cell in cells)
    return out.getvalue()


def said(found: Read) -> list[tuple[str, str, int | None, str, float | None]]:
    return [(each.trial.id, each.text, each.chosen, each.key, each.rt) for each in found.answers]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_data_of_jspsych_are_read_by_plug_in(form: str, tmp_path: Path) -> None:
    text = json.dumps(JSPSYCH) if form == "json" else jspsych_csv(JSPSYCH)
    found = read_file(written(tmp_path / f"data.{form}", text))
    assert said(found) == [
        ("item/1", "", 1, "", 1200.0),
        ("item/2", "", 4, "", 800.0),
        ("item/4", "", None, "f", 700.0),
        ("item/5", "63", None, "", 700.0),
        ("item/6", "neutral", None, "", None),
    ]
    first = found.answers[0]
    assert first.shown == ("yes", "no") and (first.trial.list, first.trial.position) == ("3", 1)
    # the first key uncovers the first word, and is the time of none
    assert [(each.number, each.text, each.rt) for each in found.words] == [(1, "The", 300.25), (2, "cat", 250.0)]
    assert set(found.passed) == {"PROLIFIC_PID", "user_agent"}


def test_older_versions_of_jspsych_have_other_names(tmp_path: Path) -> None:
    rows = [
        {"trial_type": "html-button-response", "button_pressed": "2", "rt": 5, "id": "a", "trial_index": 0},
        {"trial_type": "survey-likert", "responses": '{"Q0":3}', "rt": 5, "id": "b", "trial_index": 1},
        {"trial_type": "html-keyboard-response", "key_press": 70, "rt": 5, "id": "c", "trial_index": 2},
    ]
    found = read_file(written(tmp_path / "old.json", json.dumps(rows)))
    assert said(found) == [("a", "", 2, "", 5.0), ("b", "", 3, "", 5.0), ("c", "", None, "f", 5.0)]


def test_the_answers_that_our_page_saves_are_read(tmp_path: Path) -> None:
    start = {"experiment": "0f", "person": "0b1c", "list": 2, "list_from": "drawn", "role": "experimental"}
    rows = [
        {**start, "position": 1, "id": "a", "answer": "neutral", "rt": 812},
        {**start, "position": 2, "id": "b", "region": "verb", "word": "sleeps", "word_number": 3, "rt": 300},
    ]
    found = read_file(written(tmp_path / "answers-2-0b1c.json", json.dumps(rows)))
    assert said(found) == [("a", "neutral", None, "", 812.0)] and found.passed == ()
    assert found.words[0][1:] == (3, "verb", "sleeps", 300.0) and found.words[0].trial.list == "2"


def test_results_of_pcibex_are_read_by_the_columns_above_them(tmp_path: Path) -> None:
    found = read_file(written(tmp_path / "results.csv", PCIBEX))
    assert said(found) == [
        ("item/1", "entail,ment", None, "", 1500.0),  # the last choice, from the beginning of the trial
        ("item/2", "", None, "J", 700.0),
        ("item/1", "neutral", None, "", None),
    ]
    assert [(each.trial.list, each.trial.position) for each in found.answers] == [("2", 1), ("2", 2), ("1", 1)]
    assert [(each.number, each.text, each.rt) for each in found.words] == [(1, "A", 319.0), (2, "b,", 256.0)]


def test_an_element_of_pcibex_without_a_value_is_no_answer(tmp_path: Path) -> None:
    found = read_file(written(tmp_path / "results.csv", PCIBEX.replace("PressedKey,J,", "PressedKey,,")))
    assert [each.trial.id for each in found.answers] == ["item/1", "item/1"]


def test_older_names_of_the_columns_of_pcibex_are_known(tmp_path: Path) -> None:
    older = {
        "Results reception time": "Time results were received", "Order number of item": "Item number",
        "Inner element number": "Element number", "Label": "Type", "Latin Square Group": "Group",
    }  # fmt: skip
    text = PCIBEX
    for new, old in older.items():
        text = text.replace(f". {new}.", f". {old}.")
    assert said(read_file(written(tmp_path / "a.csv", text))) == said(read_file(written(tmp_path / "b.csv", PCIBEX)))


def test_plain_rows_are_answers_or_reading_times(tmp_path: Path) -> None:
    text = (
        "person,id,answer,rt,list,position,word,region,options,age\n"
        'ann,a,neutral,900,1,3,,,"[[""x"", ""It is x.""], [""y"", """"]]",33\n'
        "ann,b,,300,1,4,The,subject,,33\nann,b,,310,1,4,cat,,,33\n"
    )
    found = read_file(written(tmp_path / "p.csv", text))
    assert said(found) == [("a", "neutral", None, "", 900.0)] and found.answers[0].shown == ("x", "y")
    assert [(each.number, each.region, each.text) for each in found.words] == [(1, "subject", "The"), (2, "", "cat")]
    assert found.passed == ("age",)


def test_released_ratings_are_read(tmp_path: Path) -> None:
    text = "idx,stype,ftype,workerid,response\nitem/1,S,F1,A1,6\nitem/1,Sc,F2,A1,2\n"
    found = read_file(written(tmp_path / "r.csv", text))
    assert [(each.trial.part, each.text) for each in found.answers] == [
        ("ambiguous/followup_inverse", "6"),
        ("control/followup_surface", "2"),
    ]


def test_persons_are_numbered_in_the_order_of_the_files(tmp_path: Path) -> None:
    one = written(tmp_path / "1.csv", "person,id,answer\nzoe@mail.org,a,x\nann,a,x\nzoe@mail.org,b,x\n")
    two = written(tmp_path / "2.json", json.dumps(JSPSYCH))
    three = written(tmp_path / "3.csv", PCIBEX)
    found = gather([one, two, three])
    assert found.codes == {
        "p001": ("1.csv", "zoe@mail.org"), "p002": ("1.csv", "ann"), "p003": ("2.json", ""), "p004": ("3.csv", ""),
        "p005": ("3.csv", ""),
    }  # fmt: skip
    assert [each.trial.person for each in found.answers][:4] == ["p001", "p002", "p001", "p003"]
    assert not found.visits


def test_two_visits_from_one_address_are_said(tmp_path: Path) -> None:
    found = gather([written(tmp_path / "r.csv", PCIBEX.replace("bbbb2222", "aaaa1111"))])
    assert found.visits == (("p001", "p002"),)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "person,id,label\nann,a,x\n", "a.csv, line 1: no column `answer`"),
        ("a.csv", "person,id,answer\nann,,x\n", "a.csv, line 2: no id"),
        ("a.csv", "person,id,answer\nann,a,\n", "a.csv, line 2: no answer"),
        ("a.csv", "person,id,answer,rt\nann,a,x,soon\n", "a.csv, line 2: `soon` in `rt`"),
        ("a.csv", "person,id,answer,rt\nann,a,x,-3\n", "a.csv, line 2: `-3` in `rt`"),
        ("a.csv", "person,id,answer,position\nann,a,x,1.5\n", "a.csv, line 2: `1.5` in `position`"),
        ("a.csv", "person,id,answer,position\nann,a,x,99999999999\n", "a.csv, line 2: `99999999999` in `position`"),
        (
            "a.json",
            '[{"id": "a", "person": "\\ud800", "answer": "x"}]',
            "no JSON: nested too deeply, or half a character",
        ),
        ("a.csv", "person,id,answer,word\nann,a,,cat\n", "a.csv, line 2: a word without `rt`"),
        ("a.csv", "person,id,answer,options\nann,a,x,yes|no\n", "a.csv, line 2: `yes|no` in `options`"),
        ("a.csv", "person;id;answer\nann;a;x\n", "a.csv, line 1: there are semicolons between"),
        ("a.csv", "person,id,answer\nann,a,x,y\n", "a.csv, line 2: 4 cells below 3 columns"),
        ("a.csv", "person,id,answer\nann,a,\xe4\n".encode("latin-1"), "no UTF-8"),
        ("a.csv", "person,id,answer\nann,a,x\n".encode("utf-16"), "a.csv, line 1: UTF-16, and not UTF-8"),
        ("a.csv", "", "a.csv, line 1: no heading"),
        ("a.json", "[{", "a.json, line 1: no JSON"),
        ("a.json", "[" * 100_000, "a.json, line 1: no JSON"),
        ("a.json", "{}", "a.json, line 1: no list of trials"),
        ("a.json", "[{}]", "a.json, line 1: no trial has the `id` of an item"),
        ("a.json", json.dumps([{**JSPSYCH[1], "plugin_version": "3.0.0"}]), "the data of `html-button-response` 3.0.0"),
        ("a.json", json.dumps([{**JSPSYCH[1], "trial_type": "maxdiff"}]), "the data of the plug-in `maxdiff`"),
        ("a.json", json.dumps([JSPSYCH[1], JSPSYCH[1]]), "line 2: the trial 1 a second time (first in record 1)"),
        ("a.json", json.dumps([{**JSPSYCH[1], "response": "<i>"}]), "`<i>` is no place of an answer"),
        ("a.json", json.dumps([{**JSPSYCH[3], "rt": [1]}]), "the lists `word` and `rt` are not of one length"),
        ("a.json", json.dumps([{**JSPSYCH[3], "rt": [1, "x", 2]}]), "`x` in `rt`"),
        ("a.csv", PCIBEX.replace("# 4. Order number of item.\n", ""), "the column 5 is declared, and no column 4"),
        ("a.csv", PCIBEX.replace("# 4. Order number of item.", "# 4. Order."), "declares the column `Order number"),
        ("a.csv", PCIBEX[: PCIBEX.index(",item/1,2,1")], "12 cells below 16 declared columns"),
        ("a.csv", PCIBEX.replace(",319,", ",soon,"), "`soon` in `Reading time`"),
        ("a.csv", PCIBEX.replace(". id.", ". idx."), "line 1: no trial has the `id` of an item"),
        ("a.csv", PCIBEX.encode().replace(b"any, x", b"\xff"), "no UTF-8"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) and "line" in value else "",
)
def test_a_spoilt_file_is_refused_with_its_line(name: str, text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        read_file(written(tmp_path / name, text))
    assert message in error.value.message and error.value.code == "E46"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read") as error:
        read_file(tmp_path / "nowhere.csv")
    assert error.value.code == "E44"


def test_nobody_is_in_two_files_and_no_file_is_given_twice(tmp_path: Path) -> None:
    one = written(tmp_path / "1.csv", "person,id,answer\nzoe@mail.org,a,x\n")
    two = written(tmp_path / "2.csv", "person,id,answer\nann,a,x\nzoe@mail.org,b,x\n")
    with pytest.raises(UsageError, match=r"2\.csv, line 3: this person is in `1\.csv`, too") as error:
        gather([one, two])
    assert "zoe" not in error.value.message
    with pytest.raises(UsageError, match="is given twice"):
        gather([one, one])
    copy = written(tmp_path / "copy.json", json.dumps(JSPSYCH))  # of a person without a name
    with pytest.raises(UsageError, match=r"`copy\.json` is the same file as `first\.json`"):
        gather([written(tmp_path / "first.json", json.dumps(JSPSYCH)), copy])


def test_nobody_answers_an_item_twice(tmp_path: Path) -> None:
    file = written(tmp_path / "1.csv", "person,id,answer\nzoe,a,x\nann,a,x\nzoe,a,y\n")
    with pytest.raises(UsageError, match=r"1\.csv, line 4: p001 answers `a` a second time \(first in line 2\)"):
        gather([file])
