// Which nodes and edges are there? The page's data as columns, and who is next to whom.
"use strict";

const CONFIDENCES = ["", "inferred", "ambiguous"];
const AMBIGUOUS = 2;

function readGraph(text) {
  const graph = JSON.parse(text);
  graph.size = graph.labels.length;
  graph.lower = graph.labels.map((label) => label.toLowerCase());
  Object.assign(graph, joined(graph));
  graph.members = graph.communities.map(() => []);
  const order = Array.from({length: graph.size}, (_, node) => node).sort((one, other) => graph.degree[other] - graph.degree[one] || one - other);
  for (const node of order) graph.members[graph.community[node]].push(node);
  graph.children = new Map();
  graph.parent.forEach((parent, node) => { if (parent >= 0) listIn(graph.children, parent).push(node); });
  graph.between = between(graph);
  graph.ids = graph.communities.map(([id]) => id);
  graph.titles = graph.communities.map(([, title]) => title);
  graph.folders = graph.communities.map(([, , , , folder]) => folder);
  graph.sizes = graph.members.map((members) => members.length);
  const placed = new Map();
  graph.placed = (community) => {
    if (!placed.has(community)) placed.set(community, placedMembers(graph, community));
    return placed.get(community);
  };
  return graph;
}

// Edges lie in the order of their sources; `incoming` lists them in the order of their targets.
function joined({size, out, target}) {
  const first = new Uint32Array(size + 1), firstIn = new Uint32Array(size + 2), source = new Uint32Array(target.length);
  for (let node = 0, edge = 0; node < size; node++) {
    first[node + 1] = first[node] + out[node];
    for (; edge < first[node + 1]; edge++) source[edge] = node;
  }
  for (const node of target) firstIn[node + 2]++;
  for (let node = 2; node <= size + 1; node++) firstIn[node] += firstIn[node - 1];
  const incoming = new Uint32Array(target.length);
  target.forEach((node, edge) => { incoming[firstIn[node + 1]++] = edge; });
  return {first, firstIn, source, incoming};
}

// How many edges that are not ambiguous lead from each community to another, whichever way.
function between({source, target, code, community, communities}) {
  const counts = new Map();
  target.forEach((end, edge) => {
    const one = Math.min(community[source[edge]], community[end]), other = Math.max(community[source[edge]], community[end]);
    if (one !== other && code[edge] % 3 !== AMBIGUOUS) {
      const pair = one * communities.length + other;
      counts.set(pair, (counts.get(pair) || 0) + 1);
    }
  });
  const found = [...counts].map(([pair, count]) => ({one: Math.floor(pair / communities.length), other: pair % communities.length, count}));
  return found.sort((a, b) => b.count - a.count || a.one - b.one || a.other - b.other);
}

// The members of a community with their places; the pairs of them with an edge when somebody asks for these.
function placedMembers(graph, community) {
  const nodes = graph.members[community], at = new Map(nodes.map((node, place) => [node, place]));
  let pairs = null;
  return {nodes, at, x: nodes.map((node) => graph.x[node]), y: nodes.map((node) => graph.y[node]), get pairs() { return (pairs ??= pairsInside(graph, nodes, at)); }};
}

// The pairs of members with an edge between them, containment included, as places that follow one another.
function pairsInside(graph, members, at) {
  const found = new Set(), count = members.length;
  const add = (a, b) => { if (a !== b && b !== undefined) found.add(Math.min(a, b) * count + Math.max(a, b)); };
  members.forEach((node, place) => {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) if (graph.code[edge] % 3 !== AMBIGUOUS) add(place, at.get(graph.target[edge]));
    add(place, at.get(graph.parent[node]));
  });
  return Array.from(found).flatMap((pair) => [Math.floor(pair / count), pair % count]);
}

function edgesOf(graph, node) {
  const found = [];
  for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) found.push(edgeFrom(graph, edge, graph.target[edge], false));
  for (let at = graph.firstIn[node]; at < graph.firstIn[node + 1]; at++) found.push(edgeFrom(graph, graph.incoming[at], graph.source[graph.incoming[at]], true));
  return found.sort((a, b) => a.confidence - b.confidence || graph.degree[b.node] - graph.degree[a.node] || a.node - b.node);
}

function edgeFrom(graph, edge, node, comesIn) {
  return {node, comesIn, relation: graph.relations[Math.floor(graph.code[edge] / 3)], confidence: graph.code[edge] % 3, site: siteOf(graph, edge)};
}

// Where the first reference is that makes an edge; nothing for one that no reference makes.
function siteOf(graph, edge) {
  return graph.at[edge] ? `${graph.elsewhere[edge] || graph.files[graph.file[graph.source[edge]]]}:${graph.at[edge]}` : "";
}

function placeOf(graph, node) {
  return `${graph.files[graph.file[node]]}:${graph.line[node]}`;
}

function keyOf(graph, node) {
  return `${graph.labels[node]}@${placeOf(graph, node)}`;
}

function listIn(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}
