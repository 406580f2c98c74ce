// The list of pools: filters, sorting, and an address that says what is shown.

const PAGE = 100;
const COLUMNS = [
  ["problem", "Problem", (row) => row.problem],
  ["policy", "Policy", (row) => row.policy],
  ["seed", "Seed", (row) => row.seed],
  ["task", "Task", (row) => row.task],
  ["class", "Graph class", (row) => row.graph],
  ["vote", "Vote", (row) => row.base],
  ["checker", "Checker", (row) => row.other],
  ["coverage", "Any right", (row) => row.covered],
  ["outcome", "Outcome", (row) => row.outcome],
];
const CHOICES = { policy: "policy", task: "task", class: "graph", outcome: "outcome" };

function row_of([policy, problem, seed, task, graph, base, other, covered, outcome], place) {
  const row = { place, policy: index.policies[policy], problem, seed, task, graph, base, other, covered, outcome };
  row.address = [row.policy, problem, String(seed)].map(address_part).join("/");
  return row;
}

// A name as part of an address; half a surrogate pair has no address of its own.
function address_part(name) {
  return encodeURIComponent(name.toWellFormed());
}

// What the address asks for: {"policy": "", ..., "text": "", "sort": "problem"}.
function asked_of(hash) {
  const said = new URLSearchParams(hash);
  return Object.fromEntries([...Object.keys(CHOICES), "text", "sort"].map((name) => [name, said.get(name) || ""]));
}

function address_of(asked) {
  const said = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  return "#pools" + (String(said) ? "&" + said : "");
}

function fill_filters(rows) {
  for (const [name, field] of Object.entries(CHOICES)) {
    const known = name === "outcome" ? Object.keys(index.categories) : [...new Set(rows.map((row) => row[field]))].sort();
    const counts = new Map();
    for (const row of rows) counts.set(row[field], (counts.get(row[field]) || 0) + 1);
    const options = known.filter((value) => counts.has(value)).map((value) =>
      el("option", { value }, value + " (" + counts.get(value).toLocaleString("en") + ")"));
    document.getElementById("filter-" + name).append(...options);
  }
}

function chosen(rows, asked, texts) {
  const wanted = asked.text.toLowerCase();
  const kept = rows.filter((row) =>
    Object.entries(CHOICES).every(([name, field]) => !asked[name] || row[field] === asked[name]) &&
    (!wanted || row.problem.toLowerCase().includes(wanted) || (texts !== null && texts(row.place).includes(wanted))));
  const down = asked.sort.startsWith("-");
  const column = COLUMNS.find(([name]) => name === asked.sort.replace("-", ""));
  if (!column) return kept;
  const order = new Intl.Collator("en", { numeric: true });
  const sign = down ? -1 : 1;
  return kept.sort((one, other) => sign * order.compare(String(column[2](one)), String(column[2](other))) || one.place - other.place);
}

function show_list(rows, asked, texts) {
  const kept = chosen(rows, asked, texts);
  for (const name of [...Object.keys(CHOICES), "text"]) {
    const field = document.getElementById("filter-" + name);
    if (field.value !== asked[name]) field.value = asked[name];
  }
  document.getElementById("count").textContent =
    kept.length.toLocaleString("en") + " of " + plural(rows.length, "pool", "pools");
  replace(document.getElementById("pool-head"), el("tr", {}, COLUMNS.map(([name, title]) => heading(name, title, asked))));
  const body = document.getElementById("pool-rows");
  const more = document.getElementById("more");
  let shown = 0;
  const add = () => {
    const next = kept.slice(shown, shown + PAGE);
    body.append(...next.map(row_markup));
    shown += next.length;
    more.hidden = shown >= kept.length;
    more.textContent = "Show more (" + (kept.length - shown).toLocaleString("en") + " left)";
  };
  replace(body, kept.length ? [] : [el("tr", {}, el("td", { colspan: COLUMNS.length }, "No pool is like that."))]);
  more.onclick = () => {
    const before = shown;
    add();
    body.rows[before].querySelector("a").focus();
  };
  add();
  return kept;
}

function heading(name, title, asked) {
  const sorted = asked.sort.replace("-", "") === name ? (asked.sort.startsWith("-") ? "descending" : "ascending") : null;
  const next = sorted === "ascending" ? "-" + name : name;
  const sign = { ascending: "▲", descending: "▼" }[sorted] || "";
  const press = () => {
    go(address_of({ ...asked, sort: next }), true);
    document.querySelector('#pool-head button[name="' + name + '"]').focus();
  };
  return el("th", { scope: "col", "aria-sort": sorted },
    el("button", { type: "button", name, onclick: press }, title, " ", el("span", { "aria-hidden": "true" }, sign)));
}

function row_markup(row) {
  return el("tr", { "data-place": row.place },
    el("th", { scope: "row" }, el("a", { href: "#pool=" + row.address }, row.problem)),
    el("td", {}, row.policy), el("td", { class: "number" }, row.seed), el("td", {}, row.task), el("td", {}, row.graph),
    el("td", {}, truth(row.base)), el("td", {}, truth(row.other)),
    el("td", {}, { "1": "yes", "0": "no" }[row.covered]), el("td", {}, row.outcome));
}
