// Elements without markup: text goes in as text, and what a reader could not see is shown by its number.

const SVG = "http://www.w3.org/2000/svg";
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined) continue;
    element.append(...(typeof child === "object" ? [child] : seen(String(child), element.namespaceURI === SVG)));
  }
  return element;
}

// The text as nodes: "a\u202Eb" becomes a, a small box that says U+202E, b.
function seen(text, plain) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found[0] === "\n" || found[0] === "\t") continue;
    if (found.index > from) parts.push(text.slice(from, found.index));
    const code = "U+" + found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(plain ? "⟨" + code + "⟩" : code_box(code));
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function code_box(code) {
  const box = document.createElement("span");
  box.className = "unseen";
  box.title = "an invisible character";
  box.textContent = code;
  return box;
}

function hidden_word(text) {
  return el("span", { class: "spoken" }, text);
}

// A mark with its word: the word is what counts, the mark and the colour only help the eye.
const VERDICTS = { "1": ["✓", "right"], "0": ["✗", "wrong"], "?": ["?", "undetermined"], "-": ["–", "no choice"] };

function truth(mark) {
  const [sign, word] = VERDICTS[mark];
  return el("span", { class: "truth is" + "?01-".indexOf(mark) }, el("span", { "aria-hidden": "true" }, sign), " ", word);
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null));
}

function plural(count, one, many) {
  return count.toLocaleString("en") + " " + (count === 1 ? one : many);
}
