// Draws the graph from what the page holds of it. The page is whole without this: then the table is what there is.
import { EdgeArrowProgram, forceAtlas2, MultiDirectedGraph, Sigma } from "/static/drawing.min.js";

const LIGHT = {
  entity: { person: "#c2416b", project: "#0b6e68", system: "#2563a8", tool: "#5d4bb5", concept: "#0f7d4d", skill: "#7a6a00",
    task: "#a35a00", organization: "#8a3fa0", location: "#3d7a1f", material: "#8a5a44", vehicle: "#00708a",
    document: "#b3541e", persona: "#a8327d", unknown: "#4b6584" },
  memory: { decision: "#1d4ed8", constraint: "#b91c1c", preference: "#be185d", outcome: "#b45309", checkpoint: "#15803d",
    insight: "#7c3aed", fact: "#0f766e", episode: "#8492a6", document: "#c2652a", summary: "#6b7280", skill: "#857400",
    context: "#64748b" },
  type: "#8a3fa0", alias: "#a98bb5", state: "#b35c00", composition: "#0b6e68", outcome: "#8a3fa0",
  role: { primary: "#1d4ed8", supporting: "#0f766e", contradicting: "#b91c1c", superseded: "#b45309" },
};
const DARK = {
  entity: { person: "#ff8fb1", project: "#62cdc3", system: "#7db8ff", tool: "#b3a5ff", concept: "#6fdca0", skill: "#e0cf5a",
    task: "#ffbe6b", organization: "#d59cf0", location: "#a3d977", material: "#d9a58c", vehicle: "#5ccbe6",
    document: "#ff9d66", persona: "#f492d0", unknown: "#9db4d0" },
  memory: { decision: "#8fb0ff", constraint: "#ff8a8a", preference: "#ff9ac4", outcome: "#ffc26b", checkpoint: "#7fdc9a",
    insight: "#c4a5ff", fact: "#5fd3c4", episode: "#7f8c9f", document: "#f0a878", summary: "#a5adb8", skill: "#d6c65a",
    context: "#94a3b8" },
  type: "#cf96ec", alias: "#b9a2c6", state: "#ffb454", composition: "#62cdc3", outcome: "#cf96ec",
  role: { primary: "#8fb0ff", supporting: "#5fd3c4", contradicting: "#ff8a8a", superseded: "#ffc26b" },
};
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const dark = matchMedia("(prefers-color-scheme: dark)");
const byId = (id) => document.getElementById(id);
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = () => (dark.matches ? DARK : LIGHT);

function colourOf(sort, type) {
  const found = colours()[sort];
  return typeof found === "string" ? found : found?.[type] ?? colours().entity.unknown;
}

// A colour mixed with the ground, as a fading without transparency.
function faded(colour, share) {
  const ground = dark.matches ? [26, 32, 39] : [255, 255, 255];
  const own = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const mixed = own.map((part, at) => Math.round(part * share + ground[at] * (1 - share)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

// The same data give the same picture: places begin on a spiral, and the forces know no chance.
function laidOut(data) {
  const graph = new MultiDirectedGraph();
  const largest = Math.max(1, ...data.nodes.map((node) => node.size));
  data.nodes.forEach((node, at) => {
    const away = at === 0 ? 0 : 10 * node.depth + 2 * Math.sqrt(at);
    const base = ["entity", "composition"].includes(node.sort) ? 5 : ["memory", "role"].includes(node.sort) ? 3.6 : 3.2;
    graph.addNode(node.id, {
      x: away * Math.cos(at * GOLDEN), y: away * Math.sin(at * GOLDEN), label: node.label, told: node,
      size: base + 11 * Math.sqrt(node.size / largest) + (node.id === data.focus ? 3 : 0),
    });
  });
  for (const edge of data.edges) graph.addEdge(edge.from, edge.to, { told: edge, weight: edge.automatic ? 0.4 : 1 });
  if (graph.order > 1) {
    const iterations = graph.order > 150 ? 260 : 420;
    const settings = { gravity: 0.9, scalingRatio: 14, slowDown: 4, barnesHutOptimize: false, edgeWeightInfluence: 1, strongGravityMode: false };
    forceAtlas2.assign(graph, { iterations: Math.round(iterations * 0.7), settings });
    forceAtlas2.assign(graph, { iterations: Math.round(iterations * 0.3), settings: { ...settings, adjustSizes: true } });
  }
  return graph;
}

class Drawing {
  constructor(data) {
    this.data = data;
    this.graph = laidOut(data);
    this.at = null;
    this.canvas = byId("drawing");
    this.sigma = new Sigma(this.graph, this.canvas, {
      defaultEdgeType: "arrow", edgeProgramClasses: { arrow: EdgeArrowProgram }, labelFont: "system-ui, sans-serif",
      labelDensity: 0.6, labelGridCellSize: 110, labelRenderedSizeThreshold: 6, zIndex: true, minEdgeThickness: 1.3,
      stagePadding: 46, labelSize: 13, labelWeight: "500", enableCameraRotation: false, minCameraRatio: 0.08, maxCameraRatio: 3,
      defaultDrawNodeHover: (...drawn) => this.drawOver(...drawn),
      defaultDrawNodeLabel: (...drawn) => this.drawLabel(...drawn),
      nodeReducer: (id, told) => this.node(id, told), edgeReducer: (id, told) => this.edge(id, told),
    });
    this.listen();
    this.show(data.focus);
    this.at = null;
    this.sigma.refresh();
  }

  near(id) {
    return this.at === null || id === this.at || this.graph.areNeighbors(id, this.at);
  }

  node(id, { told, label, ...rest }) {
    const own = colourOf(told.sort, told.type);
    const lit = this.near(id);
    const colour = !lit ? faded(own, 0.16) : told.over ? faded(own, 0.42) : own;
    const main = id === this.data.focus || id === this.at;
    const short = label.length > 34 ? `${label.slice(0, 33)}…` : label;
    return {
      ...rest, color: colour, bold: told.sort === "entity", zIndex: main ? 2 : lit ? 1 : 0, highlighted: id === this.at,
      label: lit ? short : "", forceLabel: main || (this.at !== null && lit && this.graph.degree(this.at) < 18),
    };
  }

  edge(id, { told, ...rest }) {
    const own = token(`--${told.graph}`);
    const [from, to] = this.graph.extremities(id);
    const lit = this.at === null || from === this.at || to === this.at;
    const share = this.at !== null && lit ? 1 : told.automatic ? 0.4 : told.type === "mentions" ? 0.55 : 0.9;
    const size = (told.type === "mentions" || told.automatic ? 1.2 : 2.4) * (this.at !== null && lit ? 1.5 : 1);
    return { ...rest, size, color: faded(own, lit ? share : 0.1), zIndex: lit ? 1 : 0 };
  }

  // A label with a rim of the ground's colour stands out from edges and nodes behind it.
  drawLabel(context, data, settings) {
    if (!data.label) return;
    context.font = `${data.bold ? 650 : 500} ${data.bold ? settings.labelSize + 1 : settings.labelSize}px ${settings.labelFont}`;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = token("--card");
    context.fillStyle = token("--ink");
    const wide = context.measureText(data.label).width;
    const right = data.x + data.size + 3;
    const left = data.x - data.size - 3 - wide;
    const at = right + wide > context.canvas.clientWidth && left > 0 ? left : right;
    context.strokeText(data.label, at, data.y + settings.labelSize / 3);
    context.fillText(data.label, at, data.y + settings.labelSize / 3);
  }

  drawOver(context, data, settings) {
    const text = data.label ?? "";
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const wide = context.measureText(text).width;
    context.fillStyle = token("--card");
    context.strokeStyle = token("--accent");
    context.lineWidth = 2;
    context.beginPath();
    context.arc(data.x, data.y, data.size + 4, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    if (!text) return;
    context.beginPath();
    context.roundRect(data.x + data.size + 6, data.y - 12, wide + 12, 24, 5);
    context.fill();
    context.stroke();
    context.fillStyle = token("--ink");
    context.fillText(text, data.x + data.size + 12, data.y + settings.labelSize / 3);
  }

  show(id) {
    this.at = id;
    preview(this.graph, id);
    this.sigma.refresh({ skipIndexation: true });
  }

  listen() {
    this.sigma.on("enterNode", ({ node }) => { this.canvas.classList.add("over"); this.show(node); });
    this.sigma.on("leaveNode", () => { this.canvas.classList.remove("over"); this.at = null; this.sigma.refresh({ skipIndexation: true }); });
    this.sigma.on("clickNode", ({ node }) => this.go(node, "focus"));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("blur", () => { this.at = null; this.sigma.refresh({ skipIndexation: true }); });
    dark.addEventListener("change", () => { legend(); this.sigma.refresh(); });
    byId("nearer").addEventListener("click", () => this.sigma.getCamera().animatedZoom({ duration: 150 }));
    byId("farther").addEventListener("click", () => this.sigma.getCamera().animatedUnzoom({ duration: 150 }));
    byId("whole").addEventListener("click", () => this.sigma.getCamera().animatedReset({ duration: 150 }));
  }

  go(id, where) {
    const to = this.graph.getNodeAttribute(id, "told")[where];
    if (to) location.assign(to);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const buttons = { "+": "nearer", "=": "nearer", "-": "farther", 0: "whole" };
    if (ways[event.key]) this.step(ways[event.key]);
    else if (event.key === "Enter" && this.at) this.go(this.at, "focus");
    else if (event.key === "e" && this.at) this.go(this.at, "expand");
    else if (buttons[event.key]) byId(buttons[event.key]).click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The nearest node within a quarter turn of the way that was pressed.
  step([right, up]) {
    const start = this.at ?? this.data.focus;
    if (this.at === null) return this.show(start);
    const own = this.graph.getNodeAttributes(start);
    let best = null;
    let least = Infinity;
    this.graph.forEachNode((id, { x, y }) => {
      const along = (x - own.x) * right + (y - own.y) * up;
      const aside = Math.abs((x - own.x) * up + (y - own.y) * right);
      const far = along + 2 * aside;
      if (id !== start && along > 0 && aside <= along && far < least) [best, least] = [id, far];
    });
    if (best) this.show(best);
  }
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// What a node is, in words; texts are set as texts, never as markup.
function preview(graph, id) {
  const { told } = graph.getNodeAttributes(id);
  const panel = byId("preview");
  const facts = [told.sort === told.type ? told.sort : `${told.sort}, ${told.type.replaceAll("_", " ")}`, told.held + (told.over ? " (over)" : "")];
  if (told.mentions) facts.push(`${told.mentions} memories speak of it`);
  if (told.citations) facts.push(`cited ${told.citations} times`);
  panel.replaceChildren(element("h2", told.label), element("p", facts.filter(Boolean).join(" · "), { class: "why" }));
  if (told.text && told.text !== told.label) panel.append(element("p", told.text));
  const leads = element("p", "", { class: "go" });
  if (told.page) leads.append(element("a", "Open", { href: told.page }));
  if (told.focus) leads.append(element("a", "Look from here", { href: told.focus }));
  if (told.expand) leads.append(element("a", "Expand", { href: told.expand }));
  panel.append(leads);
  const edges = graph.edges(id).slice(0, 12).map((edge) => {
    const [from, to] = graph.extremities(edge);
    const { told: drawn } = graph.getEdgeAttributes(edge);
    const other = graph.getNodeAttribute(from === id ? to : from, "label");
    const type = drawn.type.replaceAll("_", " ");
    const sure = drawn.confidence === null ? "" : ` (${drawn.confidence.toFixed(2)}${drawn.automatic ? ", automatic" : ""})`;
    return element("li", from === id ? `${type} → ${other}${sure}` : `${other} → ${type}${sure}`);
  });
  if (edges.length) {
    const list = element("ul", "");
    list.append(...edges);
    panel.append(list);
  }
}

function legend() {
  for (const line of document.querySelectorAll("[data-colour]")) {
    const [sort, type] = line.dataset.colour.split(".");
    line.querySelector(".swatch").style.background = colourOf(sort, type);
  }
}

// The slider stands for the field beside it: each of its places is a known time, the last is now.
function slider() {
  const slide = byId("slide");
  const field = byId("as_of");
  const marks = slide?.dataset.marks ? slide.dataset.marks.split(",") : [];
  if (!marks.length) return;
  slide.hidden = false;
  const at = marks.findLastIndex((mark) => field.value && mark <= field.value);
  slide.value = field.value ? Math.max(at, 0) : marks.length;
  slide.setAttribute("aria-valuetext", field.value || "now");
  slide.addEventListener("input", () => {
    field.value = marks[slide.value] ?? "";
    slide.setAttribute("aria-valuetext", field.value || "now");
  });
  slide.addEventListener("change", () => slide.form.requestSubmit());
}

// An address says no more than it must.
function brief() {
  byId("sight")?.addEventListener("submit", () => {
    for (const field of byId("sight").querySelectorAll("input[name], select[name]")) if (field.value === "") field.disabled = true;
  });
}

function draw() {
  const held = byId("graph-data");
  if (!held) return;
  byId("stage").hidden = false;
  try {
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("no WebGL");
    const drawing = new Drawing(JSON.parse(held.textContent));
    byId("tables").open = false;
    byId("drawing").dataset.drawn = drawing.graph.order;
  } catch {
    byId("stage").hidden = true;
    byId("undrawn").hidden = false;
  }
}

slider();
brief();
legend();
draw();
