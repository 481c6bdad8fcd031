// How does one get around? What is chosen is in the address, so that the browser's back button works; pointer and keys move the map.
"use strict";

(function main() {
  const graph = readGraph(document.getElementById("data").textContent);
  const canvas = document.getElementById("map"), tip = document.getElementById("tip");
  const map = new GraphMap(canvas, graph);
  const panel = new Panel(graph, map, go);
  const byKey = new Map(graph.labels.map((_, node) => [keyOf(graph, node), node]));
  const byId = new Map(graph.ids.map((id, one) => [String(id), one]));

  // -- what is chosen

  function go(chosen) {
    const {node, community} = chosen;
    const wanted = node !== undefined ? `node=${encodeURIComponent(keyOf(graph, node))}` : community !== undefined ? `community=${graph.ids[community]}` : "";
    if (location.hash.slice(1) === wanted) arrive();
    else location.hash = wanted;
  }

  function asked() {
    const [what, value = ""] = location.hash.slice(1).split("=");
    let text = "";
    try { text = decodeURIComponent(value); } catch { return {}; }
    if (what === "node" && byKey.has(text)) return {node: byKey.get(text)};
    if (what === "community" && byId.has(text) && graph.sizes[byId.get(text)]) return {community: byId.get(text)};
    return {};
  }

  function arrive() {
    const chosen = asked(), edges = chosen.node === undefined ? [] : edgesOf(graph, chosen.node);
    const wasInPanel = document.getElementById("told").contains(document.activeElement);
    panel.show(chosen, edges);
    map.choose(chosen, edges);
    hover(null);
    document.getElementById("legend").hidden = chosen.node === undefined;
    if (wasInPanel) document.getElementById("told").focus();
  }

  function up() {
    const chosen = asked();
    if (chosen.node !== undefined) go({community: graph.community[chosen.node]});
    else go({});
  }

  // -- the pointer

  const pointers = new Map();
  let moved = 0;

  function hover(found, px = 0, py = 0) {
    const isSame = map.hover?.node === found?.node && map.hover?.community === found?.community;
    map.hover = found;
    canvas.classList.toggle("over", Boolean(found));
    tip.hidden = !found;
    if (!isSame) map.draw();
    if (!found) return;
    const {node, community} = found;
    const [title, text] = node !== undefined
      ? [graph.labels[node], `${graph.kinds[graph.kind[node]]}, ${placeOf(graph, node)}, ${counted(graph.degree[node], "neighbour")}`]
      : [graph.titles[community], `${counted(graph.members[community].length, "member")}, among them ${graph.members[community].slice(0, 4).map((one) => graph.labels[one]).join(", ")}`];
    tip.replaceChildren(element("b", {textContent: title}), text);
    const left = Math.min(px + 14, map.width - tip.offsetWidth - 6), top = py + 18 + tip.offsetHeight > map.height ? py - tip.offsetHeight - 10 : py + 18;
    tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }

  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    moved = 0;
  };

  canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId), now = [event.offsetX, event.offsetY];
    if (!before) return hover(map.at(...now), ...now);
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    pointers.set(event.pointerId, now);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (moved < 4) return undefined;
    canvas.classList.add("moving");
    hover(null);
    if (others.length) {
      const [ox, oy] = others[0], was = Math.hypot(before[0] - ox, before[1] - oy) || 1;
      return map.zoom((Math.hypot(now[0] - ox, now[1] - oy) || 1) / was, (now[0] + ox) / 2, (now[1] + oy) / 2);
    }
    return map.move(now[0] - before[0], now[1] - before[1]);
  };

  canvas.onpointerup = canvas.onpointercancel = (event) => {
    const isClick = pointers.delete(event.pointerId) && moved < 4 && event.type === "pointerup";
    canvas.classList.remove("moving");
    if (isClick) go(map.at(event.offsetX, event.offsetY) || {});
  };

  canvas.onpointerleave = () => hover(null);

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode ? 20 : 1;
    map.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0025), event.offsetX, event.offsetY);
  }, {passive: false});

  // -- keys and buttons

  const MOVES = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};

  canvas.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (MOVES[event.key]) map.move(...MOVES[event.key]);
    else if (event.key === "+" || event.key === "=") map.zoom(1.25);
    else if (event.key === "-") map.zoom(0.8);
    else if (event.key === "0") map.fit(() => map.whole());
    else return;
    event.preventDefault();
  };

  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== search && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape" && event.target !== search) up();
  });

  document.getElementById("closer").onclick = () => map.zoom(1.4);
  document.getElementById("farther").onclick = () => map.zoom(1 / 1.4);
  document.getElementById("all").onclick = () => map.fit(() => map.whole());
  document.getElementById("theme").onclick = () => {
    const root = document.documentElement, isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    recolour();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);

  function recolour() {
    map.readColours();
    panel.show(asked(), asked().node === undefined ? [] : edgesOf(graph, asked().node));
  }

  // -- search

  const search = document.getElementById("search"), hits = document.getElementById("hits");
  let found = [], current = -1;

  function list() {
    found = searched(graph, search.value);
    current = found.length ? 0 : -1;
    const rows = found.map((hit, at) => {
      const [what, where] = hit.node !== undefined ? [graph.labels[hit.node], `${graph.kinds[graph.kind[hit.node]]}, ${placeOf(graph, hit.node)}`]
        : [graph.titles[hit.community], `community of ${counted(graph.members[hit.community].length, "member")}`];
      const row = element("li", {id: `hit${at}`, onmousedown: (event) => event.preventDefault(), onclick: () => take(at)});
      row.setAttribute("role", "option");
      row.append(element("span", {className: "what", textContent: what}), element("span", {className: "where", textContent: where}));
      return row;
    });
    hits.replaceChildren(...(rows.length ? rows : [element("li", {className: "none", textContent: "nothing has this in its name or path"})]));
    open(Boolean(search.value.trim()));
    mark();
  }

  function mark() {
    [...hits.children].forEach((row, at) => row.setAttribute("aria-selected", String(at === current)));
    search.setAttribute("aria-activedescendant", current >= 0 && !hits.hidden ? `hit${current}` : "");
    if (current >= 0) hits.children[current].scrollIntoView({block: "nearest"});
  }

  function open(isOpen) {
    hits.hidden = !isOpen;
    search.setAttribute("aria-expanded", String(isOpen));
  }

  function take(at) {
    const hit = found[at];
    if (!hit) return;
    open(false);
    go(hit.node !== undefined ? {node: hit.node} : {community: hit.community});
  }

  search.oninput = list;
  search.onfocus = () => { if (search.value.trim()) list(); };
  search.onblur = () => open(false);
  search.onkeydown = (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step && found.length) {
      current = (current + step + found.length) % found.length;
      open(true);
      mark();
    } else if (event.key === "Enter") take(current);
    else if (event.key === "Escape") {
      open(false);
      search.blur();
    } else return;
    event.preventDefault();
  };

  window.addEventListener("hashchange", arrive);
  arrive();
})();
