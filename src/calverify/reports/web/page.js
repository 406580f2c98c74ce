// Starts the page: the theme, the data, and the address that says which pool or which list is shown.

const index = JSON.parse(document.getElementById("index").textContent);
const rows = index.rows.map(row_of);
const by_address = new Map(rows.map((row) => [row.address, row]));
const report_title = document.title;
let details = null;
let inflating = null;
let last_list = asked_of("");
let shown_rows = rows;
let list_at = 0;
let view = "report";

// The packed block, inflated once.
function inflate() {
  inflating ||= (async () => {
    const bytes = Uint8Array.from(atob(document.getElementById("details").textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    details = JSON.parse(await new Response(stream).text());
  })();
  return inflating;
}

const searched = new Map();

function searchable(place) {
  if (!searched.has(place)) {
    const pool = details.pools[place];
    const problem = details.problems[pool.problem];
    const texts = [problem.text, problem.question, ...pool.verdicts.map((at) => details.verdicts[at][0])];
    searched.set(place, texts.map((at) => details.texts[at]).join("\n").toLowerCase());
  }
  return searched.get(place);
}

function go(address, quietly) {
  if (quietly) {
    history.replaceState(null, "", address);
    route();
  } else {
    location.hash = address;
  }
}

function decoded(address) {
  try {
    return address.split("/").map((part) => address_part(decodeURIComponent(part))).join("/");
  } catch (error) {
    return address; // no address of ours is misspelled so
  }
}

async function route() {
  const hash = location.hash.slice(1);
  if (hash.startsWith("pool=")) {
    const [address, ...others] = hash.slice("pool=".length).split("&");
    const asked = Number(new URLSearchParams(others.join("&")).get("candidate") || "1");
    await open_pool(decoded(address), Number.isInteger(asked) ? asked - 1 : 0);
  } else {
    await open_list(hash);
  }
}

async function open_pool(address, candidate) {
  const row = by_address.get(address);
  const same = view === address;
  if (view === "report") list_at = window.scrollY;
  if (row) {
    await inflate();
    show_pool(row.place, row, candidate, shown_rows);
  } else {
    replace(document.getElementById("pool-view"), el("h2", { id: "pool-title", tabindex: "-1" }, "No such pool"),
      el("p", {}, "This report holds no pool of that address. ", el("a", { href: "#pools" }, "See all pools.")));
  }
  turn(address);
  document.title = row ? row.problem + " – " + report_title : report_title;
  const focus = document.getElementById(same ? "candidate-title" : "pool-title");
  focus.focus({ preventScroll: true });
  if (same) focus.scrollIntoView({ block: "nearest" });
  else window.scrollTo(0, 0);
}

async function open_list(hash) {
  const is_list = hash === "pools" || hash.startsWith("pools&");
  if (is_list) last_list = asked_of(hash.slice("pools".length));
  if (last_list.text) await inflate();
  shown_rows = show_list(rows, last_list, last_list.text ? searchable : null);
  const back = view !== "report";
  const from = view;
  turn("report");
  document.title = report_title;
  if (back) {
    window.scrollTo(0, list_at);
    const place = by_address.get(from)?.place;
    document.querySelector('#pool-rows tr[data-place="' + place + '"] a')?.focus({ preventScroll: true });
  }
  if (hash && !is_list) document.getElementById(hash)?.scrollIntoView();
}

function turn(to) {
  view = to;
  document.getElementById("report").hidden = to !== "report";
  document.getElementById("pool-view").hidden = to === "report";
  document.documentElement.dataset.view = to === "report" ? "report" : "pool";
}

function listen() {
  for (const name of Object.keys(CHOICES)) {
    document.getElementById("filter-" + name).addEventListener("change", read_filters);
  }
  let waiting = 0;
  document.getElementById("filter-text").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(read_filters, 200);
  });
  document.getElementById("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    read_filters();
  });
  document.getElementById("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    go(address_of({ sort: last_list.sort }), true);
  });
  window.addEventListener("hashchange", route);
}

function read_filters() {
  const asked = { sort: last_list.sort };
  for (const name of [...Object.keys(CHOICES), "text"]) asked[name] = document.getElementById("filter-" + name).value;
  go(address_of(asked), true);
}

const THEMES = ["auto", "light", "dark"];

function theme() {
  const button = document.getElementById("theme");
  const set = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = "Theme: " + name;
  };
  set("auto");
  button.hidden = false;
  button.addEventListener("click", () => {
    set(THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length]);
  });
}

theme();
fill_filters(rows);
listen();
route();
