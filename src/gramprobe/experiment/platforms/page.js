// The page of an experiment: draws or takes a list, shows its trials by jsPsych 8, and hands the answers over.
// Nothing of the person is kept but a random token; no text of an item is ever read as HTML.
"use strict";
(async () => {
  const about = JSON.parse(document.getElementById("experiment").textContent);
  const words = about.words;
  document.getElementById("unserved")?.remove();

  const escaped = text => {
    const box = document.createElement("div");
    box.textContent = text;
    return box.innerHTML;
  };
  const paragraphs = texts => texts.map(text => `<p>${escaped(text)}</p>`).join("");
  const say = (text, role = "alert") => {
    const line = document.createElement("p");
    line.textContent = text;
    line.setAttribute("role", role);
    document.body.append(line);
  };

  // -- which list
  const asked = new URLSearchParams(location.search).get("list");
  const below = most => { // a whole number from 0, each as likely as the others
    const drawn = new Uint32Array(1), fair = Math.floor(2 ** 32 / most) * most;
    do crypto.getRandomValues(drawn); while (drawn[0] >= fair);
    return drawn[0] % most;
  };
  if (asked !== null && !(/^[1-9][0-9]*$/.test(asked) && Number(asked) <= about.lists)) {
    say(words.no_list);
    return;
  }
  const list = asked === null ? below(about.lists) + 1 : Number(asked);
  const person = [...crypto.getRandomValues(new Uint8Array(8))].map(n => n.toString(16).padStart(2, "0")).join("");

  let trials;
  try {
    trials = about.trials ? about.trials[list - 1] : await (await fetch(`lists/${list}.json`)).json();
  } catch {
    say(words.not_served);
    return;
  }

  // -- what is shown
  const jsPsych = initJsPsych({ show_progress_bar: true, message_progress_bar: "", on_finish: end });
  const button = (choice, at) => `<button class="jspsych-btn" data-choice="${at}">${choice}</button>`;
  const page = (html, label) =>
    ({ type: jsPsychHtmlButtonResponse, stimulus: `<div class="page">${html}</div>`, choices: [escaped(label)] });

  const shown = trial => ["context", "premise", "hypothesis", "sentence"]
    .filter(name => trial.texts[name])
    .map(name => `<p class="${name}">${escaped(trial.texts[name])}</p>`).join("");
  const question = trial => trial.texts.question || about.question;
  const read = trial => { // answer -> what is read of it
    const texts = { ...about.scale, ...trial.texts };
    return trial.options.map(name => texts[name]);
  };
  const label = (text, key) => `<span>${escaped(text)}</span>${key && key !== text ? `<kbd>${escaped(key)}</kbd>` : ""}`;
  const own = trial => ({ list, position: trial.position, role: trial.role, id: trial.id, part: trial.part });

  const answered = (trial, html) => {
    let press;
    return {
      type: jsPsychHtmlButtonResponse,
      stimulus: `<div class="trial">${html}<p class="question">${escaped(question(trial))}</p></div>`,
      choices: read(trial).map((text, at) => label(text, trial.keys[at])),
      button_html: button,
      button_layout: trial.options.length > 3 ? "flex" : "grid",
      data: { ...own(trial), kind: "answer" },
      on_load: () => {
        press = event => {
          const at = trial.keys.indexOf(event.key.toLowerCase());
          const alone = !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey;
          if (at >= 0 && alone) document.querySelector(`button[data-choice="${at}"]`)?.click();
        };
        document.addEventListener("keydown", press);
      },
      on_finish: data => {
        document.removeEventListener("keydown", press);
        data.answer = trial.options[data.response];
      },
    };
  };
  const lines = text => { // the plugin draws a line of a canvas for each line; it takes the break for no space
    const most = Math.max(20, Math.floor((Math.min(1240, innerWidth - 40)) / 14.5)), found = [""];
    for (const word of text.trim().split(/\s+/)) {
      const last = found.at(-1);
      if (last && last.length + 1 + word.length > most) found.push(word);
      else found[found.length - 1] = last ? `${last} ${word}` : word;
    }
    return found;
  };
  const selfPaced = trial => {
    const cut = lines(trial.texts.sentence);
    return {
      type: jsPsychSelfPacedReading,
      sentence: cut.join(" \n"),
      canvas_size: [Math.min(1280, innerWidth), 160 + 80 * cut.length],
      xy_position: [0, -40 * (cut.length - 1)],
      data: { ...own(trial), kind: "words", sentence_words: cut.join(" ").split(" "), regions: trial.regions },
    };
  };

  const timeline = [];
  if (about.consent.length) timeline.push(page(paragraphs(about.consent), words.agree));
  const hint = about.kind === "self_paced" ? [words.read] : trials.some(trial => trial.keys.length) ? [words.keys] : [];
  timeline.push(page(paragraphs([...about.instructions, ...hint]), words.start));
  for (const trial of trials) {
    if (about.kind !== "self_paced") {
      timeline.push(answered(trial, shown(trial)));
      continue;
    }
    if (trial.texts.context) timeline.push(page(`<p class="context">${escaped(trial.texts.context)}</p>`, words.continue));
    timeline.push(selfPaced(trial));
    if (trial.options.length) timeline.push(answered(trial, ""));
  }

  // -- what is handed over
  function rows() {
    const found = [];
    for (const each of jsPsych.data.get().values()) {
      const start = { experiment: about.experiment, person, list, list_from: asked === null ? "drawn" : "address" };
      const item = { position: each.position, role: each.role, id: each.id, ...(each.part ? { part: each.part } : {}) };
      if (each.kind === "answer") {
        found.push({ ...start, ...item, answer: each.answer, rt: Math.round(each.rt) });
      } else if (each.kind === "words") { // the first time is that before the first word
        each.sentence_words.forEach((word, at) => found.push({
          ...start, ...item, region: each.regions[at] ?? "", word, word_number: at + 1,
          rt: Math.round(each.rt[at + 1]),
        }));
      }
    }
    return found;
  }
  async function end() {
    const answers = rows(), text = JSON.stringify(answers, null, 1);
    document.body.dataset.finished = String(answers.length);
    const box = jsPsych.getDisplayElement();
    box.replaceChildren();
    let sent = false;
    if (about.save_url) {
      try {
        const options = { method: "POST", body: text, headers: { "Content-Type": "application/json" } };
        sent = (await fetch(about.save_url, { ...options, credentials: "omit", referrerPolicy: "no-referrer" })).ok;
      } catch { sent = false; }
    }
    const line = document.createElement("p");
    line.setAttribute("role", "status");
    line.textContent = sent ? words.sent : about.save_url ? words.not_sent : words.thanks;
    box.append(line);
    if (sent) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `answers-${list}-${person}.json`;
    link.className = "jspsych-btn";
    link.textContent = words.save;
    box.append(link);
    let saved = false;
    link.addEventListener("click", () => { saved = true; });
    addEventListener("beforeunload", event => { if (!saved) event.preventDefault(); });
  }

  jsPsych.run(timeline);
})();
