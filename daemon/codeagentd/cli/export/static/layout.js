// Where does everything stand? The same graph always stands the same way: nothing is left to chance, and steps are counted, not timed.
"use strict";

const SPACING = 12; // between two members of a community
const DRAWN = 400; // communities that are placed by what they have in common; more would be a blur
const TURN = Math.PI * (3 - Math.sqrt(5)); // the golden angle: spreads evenly around a centre

// A circle for each community, near to what it has most edges with; where there are too many, those of one or two members stand around the others.
function placeCommunities(graph) {
  const all = graph.communities.map((_, one) => one).filter((one) => graph.members[one].length);
  all.sort((one, other) => graph.members[other].length - graph.members[one].length || graph.communities[one][0] - graph.communities[other][0]);
  const inner = all.length <= DRAWN ? all : all.filter((one) => graph.members[one].length > 2).slice(0, DRAWN), outer = all.slice(inner.length);
  const x = new Float64Array(graph.communities.length), y = new Float64Array(x.length), radius = new Float64Array(x.length);
  for (const one of all) radius[one] = SPACING * 0.62 * Math.sqrt(graph.members[one].length) + 8;
  spread(inner, x, y, radius);
  pull(graph, inner, x, y, radius);
  const edge = Math.max(0, ...inner.map((one) => Math.hypot(x[one], y[one]) + radius[one]));
  ring(outer, x, y, radius, edge + 4 * SPACING);
  return {x, y, radius, order: all, isInner: new Set(inner), ties: ties(graph, new Set(inner)), reach: edge + 2 * SPACING};
}

function spread(chosen, x, y, radius) {
  let area = 0;
  chosen.forEach((one, at) => {
    const far = at ? Math.sqrt(area) * 1.15 + radius[one] : 0;
    area += radius[one] * radius[one];
    x[one] = far * Math.cos(at * TURN);
    y[one] = far * Math.sin(at * TURN);
  });
}

function pull(graph, chosen, x, y, radius) {
  const springs = strongest(graph, new Set(chosen)), rounds = 240;
  for (let round = 0; round < rounds; round++) {
    const heat = 1 - round / rounds;
    for (const {one, other, strength} of springs) approach(x, y, one, other, radius[one] + radius[other] + 3 * SPACING, 0.3 * Math.sqrt(strength) * heat);
    for (const one of chosen) {
      x[one] *= 1 - 0.006 * heat;
      y[one] *= 1 - 0.006 * heat;
    }
    separate(chosen, x, y, radius, 2 * SPACING);
  }
  for (let round = 0; round < 80; round++) separate(chosen, x, y, radius, 2 * SPACING);
}

// The few edges of each community that say most about where it belongs: many for what both ends have in all.
function strongest(graph, chosen) {
  const total = new Map();
  const inside = graph.between.filter(({one, other}) => chosen.has(one) && chosen.has(other));
  for (const {one, other, count} of inside) for (const end of [one, other]) total.set(end, (total.get(end) || 0) + count);
  const told = inside.map(({one, other, count}) => ({one, other, count, strength: count / Math.sqrt(total.get(one) * total.get(other))}));
  const taken = new Map();
  return told.sort((a, b) => b.strength - a.strength || a.one - b.one || a.other - b.other).filter(({one, other}) => {
    const few = (taken.get(one) || 0) < 4 || (taken.get(other) || 0) < 4;
    if (few) for (const end of [one, other]) taken.set(end, (taken.get(end) || 0) + 1);
    return few;
  });
}

function ties(graph, chosen) {
  return strongest(graph, chosen).sort((a, b) => b.count - a.count || a.one - b.one || a.other - b.other);
}

function approach(x, y, one, other, rest, share) {
  const dx = x[other] - x[one], dy = y[other] - y[one], far = Math.sqrt(dx * dx + dy * dy) || 1;
  const step = Math.max(0, far - rest) * share / far;
  x[one] += dx * step; y[one] += dy * step;
  x[other] -= dx * step; y[other] -= dy * step;
}

// Of two that overlap, the smaller one moves more.
function separate(chosen, x, y, radius, margin) {
  for (let a = 0; a < chosen.length; a++) {
    for (let b = a + 1; b < chosen.length; b++) {
      const one = chosen[a], other = chosen[b], least = radius[one] + radius[other] + margin;
      const dx = x[other] - x[one], dy = y[other] - y[one], square = dx * dx + dy * dy;
      if (square >= least * least) continue;
      const far = Math.sqrt(square) || 1, step = (least - far) / far * 0.6, share = radius[other] / (radius[one] + radius[other]);
      x[one] -= dx * step * share; y[one] -= dy * step * share;
      x[other] += dx * step * (1 - share); y[other] += dy * step * (1 - share);
    }
  }
}

function ring(chosen, x, y, radius, start) {
  let far = start, angle = 0;
  const needed = chosen.reduce((sum, one) => sum + 2 * radius[one] + 6, 0), stretch = Math.max(1, 2 * Math.PI * start / needed);
  for (const one of chosen) {
    if (angle > 2 * Math.PI) {
      angle = 0;
      far += 3.2 * SPACING;
    }
    x[one] = far * Math.cos(angle);
    y[one] = far * Math.sin(angle);
    angle += (2 * radius[one] + 6) * stretch / far;
  }
}

// Members within the circle of their community: the most connected in the middle, those of one file in one direction, then moved apart and along their edges.
function placeMembers(graph, one, radius) {
  const members = graph.members[one], count = members.length, rim = radius - 8;
  const x = new Float64Array(count), y = new Float64Array(count), at = new Map(members.map((node, place) => [node, place]));
  const turn = new Map([...members].sort((a, b) => a - b).map((node, place) => [node, place / count]));
  members.forEach((node, place) => {
    const far = count > 1 ? rim * Math.sqrt((place + 0.3) / count) : 0, angle = 2 * Math.PI * turn.get(node);
    x[place] = far * Math.cos(angle);
    y[place] = far * Math.sin(angle);
  });
  const pairs = inner(graph, members, at), degree = new Float64Array(count);
  for (const end of pairs) degree[end]++;
  const rounds = count > 4000 ? 25 : count > 1000 ? 60 : 140;
  for (let round = 0; round < rounds; round++) {
    const heat = 1 - round / rounds;
    for (let pair = 0; pair < pairs.length; pair += 2) {
      const a = pairs[pair], b = pairs[pair + 1];
      approach(x, y, a, b, SPACING * 1.6, 0.28 * heat / Math.min(degree[a], degree[b]));
    }
    apart(x, y, rim);
  }
  fill(x, y, rim);
  for (let round = 0; round < 20; round++) apart(x, y, rim);
  return {x, y, at, pairs};
}

// Use the whole circle: everybody keeps the direction, and moves outwards to where so many have room.
function fill(x, y, rim) {
  const far = x.map((value, one) => Math.sqrt(value * value + y[one] * y[one]));
  const order = Array.from(far.keys()).sort((a, b) => far[a] - far[b] || a - b);
  order.forEach((one, rank) => {
    const wanted = Math.max(far[one], rim * (0.25 * far[one] / rim + 0.75 * Math.sqrt((rank + 0.5) / order.length)));
    const factor = far[one] ? wanted / far[one] : 1;
    x[one] *= factor;
    y[one] *= factor;
  });
}

// The pairs of members with an edge between them, containment included, as places that follow one another.
function inner(graph, members, at) {
  const found = new Set(), count = members.length;
  const add = (a, b) => { if (a !== b && b !== undefined) found.add(Math.min(a, b) * count + Math.max(a, b)); };
  members.forEach((node, place) => {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) if (graph.code[edge] % 3 !== AMBIGUOUS) add(place, at.get(graph.target[edge]));
    add(place, at.get(graph.parent[node]));
  });
  const pairs = new Uint32Array(2 * found.size);
  let last = 0;
  for (const pair of found) {
    pairs[last++] = Math.floor(pair / count);
    pairs[last++] = pair % count;
  }
  return pairs;
}

// Members that are too close move apart; a grid of cells finds them.
function apart(x, y, rim) {
  const count = x.length, width = Math.ceil(2 * rim / SPACING) + 3, head = new Int32Array(width * width).fill(-1), next = new Int32Array(count);
  const cell = (value) => Math.min(width - 2, Math.max(1, Math.floor((value + rim) / SPACING) + 1));
  for (let one = 0; one < count; one++) {
    const far = Math.sqrt(x[one] * x[one] + y[one] * y[one]);
    if (far > rim) {
      x[one] *= rim / far;
      y[one] *= rim / far;
    }
    const place = cell(y[one]) * width + cell(x[one]);
    next[one] = head[place];
    head[place] = one;
  }
  for (let one = 0; one < count; one++) {
    const row = cell(y[one]), column = cell(x[one]);
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        for (let other = head[r * width + c]; other >= 0; other = next[other]) if (other > one) push(x, y, one, other);
      }
    }
  }
}

function push(x, y, one, other) {
  let dx = x[other] - x[one], dy = y[other] - y[one];
  if (dx === 0 && dy === 0) dx = 0.01 * (other - one);
  const square = dx * dx + dy * dy;
  if (square >= SPACING * SPACING * 0.8) return;
  const far = Math.sqrt(square), step = (SPACING * 0.9 - far) / far * 0.25;
  x[one] -= dx * step; y[one] -= dy * step;
  x[other] += dx * step; y[other] += dy * step;
}
