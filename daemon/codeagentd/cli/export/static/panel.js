// What is said of the whole, of a community, of a node? Lists of everything that the map shows; all text is set as text.
"use strict";

const ROWS = 30; // of a list before somebody asks for more
const TITLES = { // of the edges of a node, by relation: those that come in, those that go out
  calls: ["Callers", "Calls"], imports: ["Imported by", "Imports"], re_exports: ["Re-exported by", "Re-exports"], references: ["Referred to by", "Refers to"],
  accepts: ["Accepted by", "Accepts"], returns: ["Returned by", "Returns"], inherits: ["Inherited by", "Inherits"], implements: ["Implemented by", "Implements"],
  extends: ["Extended by", "Extends"], decorates: ["Decorates", "Decorated by"], overrides: ["Overridden by", "Overrides"], embeds: ["Embedded by", "Embeds"],
  mixes_in: ["Mixed into", "Mixes in"], depends_on: ["Needed by", "Depends on"], reads_from: ["Read by", "Reads from"], uses: ["Used by", "Uses"],
};

function element(tag, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...inside);
  return made;
}

function number(value) {
  return value.toLocaleString("en");
}

function counted(value, noun, plural = `${noun}s`) {
  return `${number(value)} ${value === 1 ? noun : plural}`;
}

class Panel {
  constructor(graph, map, go) {
    Object.assign(this, {graph, map, go, told: document.getElementById("told"), crumbs: document.getElementById("crumbs")});
    document.getElementById("name").textContent = graph.name;
  }

  show(chosen, edges) {
    const shown = chosen.node !== undefined ? this.ofNode(chosen.node, edges) : chosen.community !== undefined ? this.ofCommunity(chosen.community) : this.ofAll();
    this.told.replaceChildren(...shown);
    this.told.scrollTop = 0;
    this.showWay(chosen);
  }

  showWay({node, community}) {
    const way = [element("button", {textContent: "All", onclick: () => this.go({})})];
    const inside = node === undefined ? community : this.graph.community[node];
    if (inside !== undefined) way.push(element("span", {textContent: "›"}), element("button", {textContent: this.graph.titles[inside], onclick: () => this.go({community: inside})}));
    if (node !== undefined) way.push(element("span", {textContent: "›"}), element("span", {textContent: this.graph.labels[node]}));
    this.crumbs.replaceChildren(...way);
  }

  // -- the whole

  ofAll() {
    const {graph} = this, [exact, inferred, ambiguous] = graph.edges, all = Math.max(1, exact + inferred + ambiguous);
    const share = (part) => `${(100 * part / all).toFixed(1)}%`;
    const real = graph.communities.map((_, one) => one).filter((one) => graph.members[one].length);
    const large = real.filter((one) => graph.members[one].length > 2).sort((a, b) => graph.members[b].length - graph.members[a].length || a - b);
    const commit = graph.head ? `, commit ${graph.head.slice(0, 12)}` : "";
    return [
      element("h2", {textContent: "Code graph"}),
      element("p", {textContent: `${counted(graph.nodes, "node")} in ${counted(real.length, "community", "communities")}, ${counted(all, "edge")}: ${share(exact)} extracted, `
        + `${share(inferred)} inferred, ${share(ambiguous)} ambiguous. Modularity ${graph.modularity.toFixed(2)}.`}),
      ...(graph.left_out ? [element("p", {className: "notice", textContent: graph.left_out})] : []),
      this.section("Communities", large.map((one) => () => this.communityRow(one)), large.length, true),
      this.section("God nodes", graph.hubs.map((node) => () => this.nodeRow(node, `${counted(graph.degree[node], "neighbour")}, ${placeOf(graph, node)}`)), undefined, true),
      this.section("What most depends on", graph.pillars.map((node) => () => this.nodeRow(node))),
      this.section("Surprising connections", graph.surprises.flatMap((one) => this.surpriseRows(one)), graph.surprises.length),
      this.section("Import cycles", graph.cycles.map((cycle) => () => this.plainRow(cycle.join(" → ")))),
      this.section("Ambiguous edges", graph.doubts.map(([node, edges, source, relation]) => () => this.nodeRow(node, `${counted(edges, "edge")}, the first ${relation} from ${graph.labels[source]}`))),
      this.section("Questions", graph.questions.map(([question, why]) => () => this.plainRow(question, why))),
      this.section("Knowledge gaps", graph.gaps.map((gap) => () => this.plainRow(gap))),
      element("p", {textContent: `codeagentd ${graph.version}, generation ${graph.generation}${commit}. Circles are communities: parts of the code with more edges inside than out.`}),
    ];
  }

  surpriseRows([source, target, relation, confidence, reason]) {
    return [
      () => this.plainRow(`${relation}: ${reason}`, CONFIDENCES[confidence]),
      () => this.nodeRow(source),
      () => this.nodeRow(target, `→ ${placeOf(this.graph, target)}`),
    ];
  }

  // -- a community

  ofCommunity(one) {
    const {graph} = this, [id, , size, cohesion, folder] = graph.communities[one], members = graph.members[one];
    const others = graph.between.filter((pair) => pair.one === one || pair.other === one).map((pair) => [pair.one === one ? pair.other : pair.one, pair.count]);
    const absent = size > members.length ? `, ${number(members.length)} of them on this page` : "";
    return [
      element("h2", {}, this.named(one)),
      element("p", {textContent: `Community ${id}: ${counted(size || members.length, "member")}${absent}, mostly in ${folder}; cohesion ${cohesion.toFixed(3)}`}),
      this.section("Members", members.map((node) => () => this.nodeRow(node)), members.length, true),
      this.section("Connected with", others.map(([other, count]) => () => this.communityRow(other, counted(count, "edge"))), others.length, true),
    ];
  }

  // -- a node

  ofNode(node, edges) {
    const {graph} = this, children = graph.children.get(node) || [], parent = graph.parent[node];
    const groups = new Map();
    for (const edge of edges) listIn(groups, `${edge.comesIn ? 0 : 1}${edge.relation}`).push(edge);
    const order = [...groups.keys()].sort((a, b) => (a[0] === b[0] ? graph.relations.indexOf(a.slice(1)) - graph.relations.indexOf(b.slice(1)) : a < b ? -1 : 1));
    return [
      element("h2", {className: "code", textContent: graph.labels[node]}),
      element("p", {textContent: `${graph.kinds[graph.kind[node]]} in ${placeOf(graph, node)}; ${counted(graph.degree[node], "neighbour")}`}),
      ...(edges.length || children.length || parent >= 0 ? [] : [element("p", {textContent: "Nothing on this page is connected with it."})]),
      ...order.map((key) => this.edgeSection(key[0] === "0", key.slice(1), groups.get(key))),
      ...(parent >= 0 ? [this.section("Part of", [() => this.nodeRow(parent)], 1, true)] : []),
      ...(children.length ? [this.section("Contains", children.map((child) => () => this.nodeRow(child)), children.length)] : []),
    ];
  }

  edgeSection(comesIn, relation, edges) {
    const {graph} = this, title = (TITLES[relation] || [`${relation} (in)`, relation])[comesIn ? 0 : 1];
    const rows = edges.map((edge) => () => {
      const place = comesIn && edge.site ? `${relation === "calls" ? "calls it" : "mentions it"} at ${edge.site}` : this.about(edge.node);
      return this.nodeRow(edge.node, place, CONFIDENCES[edge.confidence]);
    });
    return this.section(title, rows, edges.length, true);
  }

  // -- rows and lists

  section(title, rows, count = rows.length, isOpen = false) {
    const list = element("ul"), made = element("details", {open: isOpen}, element("summary", {}, `${title} `, element("span", {textContent: number(count)})), list);
    const more = element("button", {className: "more"});
    let shown = 0;
    const extend = (by) => {
      for (const row of rows.slice(shown, shown + by)) list.append(element("li", {}, row()));
      shown = Math.min(rows.length, shown + by);
      more.textContent = `Show more (${number(rows.length - shown)} left)`;
      more.hidden = shown === rows.length;
    };
    more.onclick = () => extend(10 * ROWS);
    extend(ROWS);
    if (!rows.length) list.append(element("li", {className: "plain", textContent: "none"}));
    made.append(more);
    return made;
  }

  nodeRow(node, where = this.about(node), tag = "") {
    const what = element("span", {className: "what", textContent: this.graph.labels[node]});
    const tags = tag ? [element("span", {className: "tag", textContent: tag})] : [];
    return element("button", {className: "row", onclick: () => this.go({node})}, what, ...tags, element("span", {className: "where", textContent: where}));
  }

  about(node) {
    return this.graph.labels[node] === this.graph.files[this.graph.file[node]] ? this.graph.kinds[this.graph.kind[node]] : placeOf(this.graph, node);
  }

  communityRow(one, where = `${counted(this.graph.members[one].length, "member")}: ${this.graph.members[one].slice(0, 3).map((node) => this.graph.labels[node]).join(", ")}`) {
    const told = element("span", {className: "where", textContent: where});
    return element("button", {className: "row", onclick: () => this.go({community: one})}, this.named(one), told);
  }

  named(one) {
    const chip = element("span", {className: "chip"});
    chip.style.background = this.map.hue(one);
    return element("span", {className: "named"}, chip, element("span", {textContent: this.graph.titles[one]}));
  }

  plainRow(text, where = "") {
    return element("div", {className: "plain"}, text, ...(where ? [element("span", {className: "where", textContent: where})] : []));
  }
}
