// An experiment for PennController 2: a trial a row of trials.csv, in the order of the rows of a group.
PennController.ResetPrefix(null);
DebugOff();

const about = {{about}};
const plain = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const page = (name, texts, button) => newTrial(name,
    newText(name + "-text", texts.map(text => "<p>" + plain(text) + "</p>").join("")).center().print(),
    newButton(name + "-button", plain(button)).center().print().wait()
);
const pages = about.consent.length ? ["consent", "instructions"] : ["instructions"];

Sequence("person", ...pages, "trial", SendResults(), "thanks");

newTrial("person",
    // a token that says nothing of the person
    newVar("person").global().set(() => Array.from(
        crypto.getRandomValues(new Uint8Array(8)), n => n.toString(16).padStart(2, "0")).join(""))
);
if (about.consent.length) page("consent", about.consent, about.words.agree);
page("instructions", about.instructions.concat([about.selfPaced ? about.words.read : about.words.keys]), about.words.start);

Template("trials.csv", row => {
    const shown = about.shown.filter(name => row[name]);
    const numbers = Array.from({length: about.most}, (_, n) => n + 1).filter(n => row["name_" + n]);
    const keys = numbers.map(n => row["key_" + n]).filter(key => key);
    const commands = [];
    for (const name of shown) {
        if (name === "sentence" && about.selfPaced) {
            commands.push(
                newController("DashedSentence", {s: row.sentence.trim().split(/\s+/)}).center().print().log().wait().remove());
        } else {
            commands.push(newText("shown-" + name, plain(row[name])).center().print());
        }
    }
    if (numbers.length) {
        commands.push(newText("question", plain(row.question || about.question)).center().print());
        for (const n of numbers) // an answer's element has the answer's name, which the results then hold
            commands.push(newText(row["name_" + n], plain(row["text_" + n]) +
                (keys.length ? " <small>" + plain(row["key_" + n]) + "</small>" : "")).center().print());
        let answer = newSelector("answer").add(...numbers.map(n => getText(row["name_" + n])));
        if (keys.length) answer = answer.keys(...keys);
        commands.push(answer.log().wait());
    }
    return newTrial("trial", ...commands)
        .log("person", getVar("person")).log("experiment", about.experiment).log("list", row.group)
        .log("position", row.position).log("role", row.role).log("id", row.id).log("part", row.part);
});

newTrial("thanks",
    newText("thanks-text", plain(about.words.sent)).center().print(),
    newButton("thanks-button", "").wait()
);
