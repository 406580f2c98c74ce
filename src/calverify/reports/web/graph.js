// A graph as it was laid out, with the targets doubled, the answer filled, and the witness drawn strongly.

const ARROW = 9;

// `marks` is {steps, nodes, given} of a witness or null; `roles` is {targets: [...], answer: [...]}.
function graph_figure(graph, marks, roles, words) {
  const text = el("p", { class: "edges" }, el("strong", {}, "Edges: "), words);
  if (!graph.size) {
    const why = "This graph has " + graph.nodes + " nodes and is too large to be drawn.";
    return el("figure", { class: "graph" }, el("p", { class: "quiet" }, why), text);
  }
  const marked = marks || {};
  const strong = new Set((marked.steps || []).flatMap(([a, arrow, b]) => both_ways(a, arrow, b)));
  const used = { walk: false, ring: false, given: false, answer: false, target: false, arc: false };
  const lines = graph.lines.map((line) => edge(graph, line, strong, used));
  const boxes = graph.boxes.map((box) => node(box, graph.size[2], marked, roles, used));
  const order = [...lines.filter((line) => !line.strong), ...lines.filter((line) => line.strong)];
  const id = "graph-" + (graph_figure.count = (graph_figure.count || 0) + 1);
  const [width, height] = graph.size;
  const drawing = shape("svg", {
    viewBox: "0 0 " + width + " " + height, width, height, role: "img", class: "graph",
    "aria-labelledby": id + "-title " + id + "-desc",
  }, shape("title", { id: id + "-title" }, "The graph" + (used.walk ? ", with the witness drawn on it" : "")),
    shape("desc", { id: id + "-desc" }, words), order.map((line) => line.element), boxes);
  return el("figure", { class: "graph" }, el("div", { class: "canvas", tabindex: "0" }, drawing), legend(used), text);
}

function both_ways(a, arrow, b) {
  const back = { "->": "<-", "<-": "->", "<->": "<->", "--": "--" }[arrow];
  return [JSON.stringify([a, arrow, b]), JSON.stringify([b, back, a])];
}

function edge(graph, [tail, arrow, head, flat], strong, used) {
  const points = [];
  for (let at = 0; at < flat.length; at += 2) points.push([flat[at], flat[at + 1]]);
  const names = [graph.boxes[tail][0], arrow, graph.boxes[head][0]];
  const is_strong = strong.has(JSON.stringify(names));
  used.walk ||= is_strong;
  used.arc ||= arrow === "<->";
  const style = (is_strong ? "strong" : "plain") + (arrow === "<->" ? " arc" : "");
  const group = shape("g", { class: "edge " + style, "data-edge": names.join(" ") }, shape("path", { d: course(points) }));
  if (arrow !== "--") group.append(tip(points[points.length - 1], points[points.length - 2]));
  if (arrow === "<->") group.append(tip(points[0], points[1]));
  return { element: group, strong: is_strong };
}

// Straight where there are two points; through the others it bends, halfway between one and the next.
function course(points) {
  const [first, ...rest] = points;
  let said = "M" + first.join(" ");
  if (rest.length === 1) return said + "L" + rest[0].join(" ");
  for (let at = 0; at < rest.length - 1; at += 1) {
    const [x, y] = rest[at];
    const [nx, ny] = rest[at + 1];
    const last = at === rest.length - 2;
    said += "Q" + x + " " + y + " " + (last ? nx : (x + nx) / 2) + " " + (last ? ny : (y + ny) / 2);
  }
  return said;
}

function tip([x, y], [fx, fy]) {
  const angle = Math.atan2(y - fy, x - fx);
  const corner = (turn) => (x - ARROW * Math.cos(angle + turn)).toFixed(1) + "," + (y - ARROW * Math.sin(angle + turn)).toFixed(1);
  return shape("polygon", { points: [x + "," + y, corner(0.42), corner(-0.42)].join(" ") });
}

function node([name, label, x, y, width], height, marks, roles, used) {
  const target = roles.targets.indexOf(name);
  const is = { answer: roles.answer.includes(name), given: (marks.given || []).includes(name),
    ring: (marks.nodes || []).includes(name), target: target >= 0 };
  const classes = ["node", ...Object.keys(is).filter((role) => is[role])];
  for (const role of Object.keys(is)) used[role] ||= is[role];
  const group = shape("g", { class: classes.join(" "), "data-node": name }, shape("title", {}, name));
  const box = (grow, round, kind) => shape("rect", { x: x - width / 2 - grow, y: y - height / 2 - grow,
    width: width + 2 * grow, height: height + 2 * grow, rx: round, class: kind });
  if (is.ring) group.append(box(5, 8, "halo"));
  group.append(box(0, is.given ? 1 : 8, "box"));
  if (is.target) group.append(box(-3, 6, "inner"));
  group.append(shape("text", { x, y, dy: "0.35em", "text-anchor": "middle" }, label));
  return group;
}

const LEGEND = [
  ["target", "double outline: a target of the question"],
  ["answer", "filled: in the candidate's answer"],
  ["given", "square corners: given, that is conditioned on, in the witness"],
  ["ring", "dashed ring: a node that the witness names"],
  ["walk", "thick line: the witness"],
  ["arc", "dashed line with two heads: a bidirected edge, a cause that is not seen"],
];

function legend(used) {
  const lines = LEGEND.filter(([role]) => used[role]).map(([role, words]) => el("li", { class: "key-" + role }, words));
  return el("ul", { class: "legend" }, lines);
}
