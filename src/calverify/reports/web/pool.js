// One pool: the question, every candidate, one of them in full, what was chosen, and the truth behind a button.

const HEADS = ["candidate", "answer", "number"]; // of the first columns; then six bits, and who chose
const BITS = { "1": ["✓", "holds"], "0": ["✗", "fails"], "?": ["?", "undetermined"] };

function show_pool(place, row, asked, list) {
  const pool = details.pools[place];
  const problem = details.problems[pool.problem];
  const verdicts = pool.verdicts.map((at) => verdict_of(details.verdicts[at]));
  const picked = Object.entries(pool.choices);
  const at = Math.min(Math.max(asked, 0), verdicts.length - 1);
  const candidate = verdicts[at];
  replace(document.getElementById("pool-view"),
    crumbs(row, list),
    el("h2", { id: "pool-title", tabindex: "-1" }, row.problem, el("span", { class: "quiet" }, " seed " + row.seed)),
    facts(row, pool, problem),
    el("div", { class: "columns" }, question(problem, row), candidates(row, verdicts, picked, at)),
    candidate ? one_candidate(row, pool, problem, verdicts, at) : el("p", {}, "The pool is empty."),
    choices(row, picked, verdicts),
    revealed(pool, picked, verdicts));
}

function verdict_of([text, bits, answer, faults, why, lines, marks, graph, members]) {
  return { text: details.texts[text], bits, answer: answer < 0 ? null : details.texts[answer], why: details.texts[why],
    faults: faults.map(([slot, said]) => [slot, details.texts[said]]), marks, graph, members,
    lines: lines.map(([name, said]) => [name, details.texts[said]]) };
}

function address(row, at) {
  return "#pool=" + row.address + "&candidate=" + (at + 1);
}

function crumbs(row, list) {
  const place = list.findIndex((other) => other.place === row.place);
  const beside = (other, words) => other ? el("a", { href: "#pool=" + other.address }, words) : null;
  return el("nav", { class: "crumbs", "aria-label": "Pools" },
    el("a", { href: address_of(last_list) }, "← All pools"),
    beside(list[place - 1], "‹ Previous pool"), beside(place < 0 ? null : list[place + 1], "Next pool ›"),
    place < 0 ? null : el("span", { class: "quiet" }, (place + 1) + " of " + list.length));
}

function facts(row, pool, problem) {
  const strata = Object.entries(pool.strata).filter(([name]) => name !== "task" && name !== "graph");
  const known = [["Policy", row.policy], ["Task", row.task], ["Targets", problem.targets.join(", ")],
    ...Object.entries(problem.asked), ["Graph class", row.graph], ...strata, ["Cluster", pool.cluster]];
  return el("dl", { class: "facts" }, known.filter(([, value]) => value).map(([name, value]) =>
    el("div", {}, el("dt", {}, titled(name)), el("dd", {}, value))));
}

// A field as it heads its value: "find_one" is a value, "form" becomes Form.
function titled(name) {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

function question(problem, row) {
  const text = details.texts[problem.text];
  const asks = details.texts[problem.question];
  return el("section", { class: "question" }, el("h3", {}, "Question"),
    text ? el("p", { class: "wording" }, text) : null,
    asks && !text.includes(asks) ? el("p", { class: "wording" }, asks) : null,
    problem.legend.length ? el("p", {}, el("strong", {}, "Variables: "), problem.legend.join(", ")) : null,
    problem.graph < 0 ? el("p", { class: "quiet" },
      row.graph === "none" ? "This question is about no graph." : "No graph is supplied: each trace states its own.")
      : el("p", { class: "edges" }, el("strong", {}, "Graph: "), details.texts[details.graphs[problem.graph].words]));
}

function candidates(row, verdicts, picked, chosen_at) {
  const head = ["", "Answer", "Score", ...index.slots, "Chosen by"];
  const rows = verdicts.map((verdict, at) => el("tr", { "aria-current": at === chosen_at ? "true" : null },
    el("th", { scope: "row" }, el("a", { href: address(row, at), "aria-label": "Candidate " + (at + 1) }, at + 1)),
    el("td", { class: "answer" }, verdict.answer === null ? el("span", { class: "quiet" }, "none readable") : verdict.answer),
    el("td", { class: "number" }, score(verdict)),
    [...verdict.bits].map((bit) => el("td", { class: "bit" }, bit_mark(bit, false))),
    el("td", { class: "by" }, picked.filter(([, index_of]) => index_of === at).map(([name]) => name).join(", "))));
  return el("section", { class: "candidates" }, el("h3", {}, "Candidates"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Candidates" },
      el("table", {}, el("caption", { class: "spoken" }, "Candidates, their six bits, and who chose them"),
        el("thead", {}, el("tr", {}, head.map((name, at) =>
          el("th", { scope: "col", class: HEADS[at] || (at < 9 ? "bit" : "by") }, name || hidden_word("Candidate"))))),
        el("tbody", {}, rows))));
}

function score(verdict) {
  const known = [...verdict.bits].filter((bit) => bit !== "?");
  return known.length ? known.filter((bit) => bit === "1").length + " of 6" : "undetermined";
}

function bit_mark(bit, in_words) {
  const [sign, word] = BITS[bit];
  return el("span", { class: "truth is" + "?01".indexOf(bit) }, el("span", { "aria-hidden": "true" }, sign),
    in_words ? " " + word : hidden_word(word));
}

function one_candidate(row, pool, problem, verdicts, at) {
  const verdict = verdicts[at];
  const graph = verdict.graph < 0 ? problem.graph : verdict.graph;
  const own = problem.graph < 0 && graph >= 0 ? el("p", { class: "quiet" }, "This is the graph that the candidate stated.") : null;
  const scores = Object.entries((pool.scores || [])[at] || {});
  return el("section", { class: "candidate", "aria-labelledby": "candidate-title" },
    el("div", { class: "title-row" },
      el("h3", { id: "candidate-title", tabindex: "-1" }, "Candidate " + (at + 1)),
      at > 0 ? el("a", { href: address(row, at - 1) }, "‹ Previous") : null,
      at < verdicts.length - 1 ? el("a", { href: address(row, at + 1) }, "Next ›") : null),
    el("div", { class: "columns" },
      el("div", {}, el("h4", {}, "Text"), el("pre", { class: "trace", tabindex: "0", dir: "ltr" }, verdict.text)),
      el("div", {}, el("h4", {}, "Verdict: " + score(verdict)), bit_table(verdict),
        el("dl", { class: "facts" },
          el("div", {}, el("dt", {}, "Canonical answer"), el("dd", {}, verdict.answer === null ? "none readable" : verdict.answer)),
          el("div", {}, el("dt", {}, "Why"), el("dd", {}, verdict.why)),
          scores.map(([name, value]) => el("div", {}, el("dt", {}, "Stored " + name), el("dd", {}, value === null ? "failed" : value)))))),
    el("div", { class: "columns" },
      el("div", {}, el("h4", {}, "Graph"), own,
        graph < 0 ? el("p", { class: "quiet" }, "There is no graph to draw.")
          : graph_figure(details.graphs[graph], verdict.marks, { targets: problem.targets, answer: verdict.members },
            details.texts[details.graphs[graph].words])),
      el("div", {}, el("h4", {}, "Witness, in words"), witness(verdict))));
}

function bit_table(verdict) {
  const why = new Map(verdict.faults);
  const said_once = verdict.faults.length ? "the same reason" : "";
  return el("table", { class: "bits" }, el("caption", { class: "spoken" }, "The six bits"),
    el("tbody", {}, index.slots.map((slot, at) => el("tr", {}, el("th", { scope: "row" }, slot),
      el("td", {}, bit_mark(verdict.bits[at], true)),
      el("td", {}, verdict.bits[at] === "0" ? why.get(at) || said_once : "")))));
}

function witness(verdict) {
  if (!verdict.lines.length) return el("p", { class: "quiet" }, "There is no witness for this verdict.");
  return el("dl", { class: "witness" }, verdict.lines.map(([name, said]) => [el("dt", {}, name), el("dd", {}, said)]));
}

function choices(row, picked, verdicts) {
  return el("section", {}, el("h3", {}, "What each selector chose"),
    el("ul", { class: "choices" }, picked.map(([name, at]) => el("li", {}, el("strong", {}, name), " ",
      at === null ? "nothing" : [el("a", { href: address(row, at) }, "candidate " + (at + 1)), " ",
        verdicts[at].answer === null ? "" : verdicts[at].answer]))));
}

function revealed(pool, picked, verdicts) {
  const rows = verdicts.map((verdict, at) => el("tr", {}, el("th", { scope: "row" }, at + 1),
    el("td", {}, verdict.answer === null ? "none readable" : verdict.answer), el("td", {}, truth(pool.correct[at]))));
  const worth = picked.map(([name, at]) => el("tr", {}, el("th", { scope: "row" }, name),
    el("td", {}, at === null ? "nothing" : "candidate " + (at + 1)), el("td", {}, truth(at === null ? "0" : pool.correct[at]))));
  const table = (caption, head, body) => el("table", {}, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, head.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, body));
  return el("details", { class: "reveal" }, el("summary", {}, "Reveal the truth"),
    el("div", { class: "columns" },
      table("Is the answer right?", ["Candidate", "Answer", "Truth"], rows),
      table("Is the choice right?", ["Selector", "Choice", "Truth"], worth)));
}
