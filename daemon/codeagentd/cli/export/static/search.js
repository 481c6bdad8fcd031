// Which nodes and communities does a text mean? Names that begin with it come before names that contain it, nodes before communities, the most connected first.
"use strict";

const HITS = 40;

function searched(graph, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const found = [];
  graph.lower.forEach((label, node) => {
    const rank = rankOf(label, wanted);
    if (rank < 4) found.push({node, rank, worth: graph.degree[node]});
  });
  graph.titles.forEach((title, community) => {
    const rank = graph.sizes[community] ? Math.min(rankOf(title.toLowerCase(), wanted), rankOf(graph.folders[community].toLowerCase(), wanted)) : 4;
    if (rank < 4) found.push({community, rank, worth: graph.members[community].length});
  });
  return found.sort((a, b) => a.rank - b.rank || (a.node === undefined) - (b.node === undefined) || b.worth - a.worth || (a.node ?? -1) - (b.node ?? -1)).slice(0, HITS);
}

// 0: just this, 1: its last part is this, 2: a part begins with it, 3: it is somewhere inside, 4: no.
function rankOf(label, wanted) {
  const at = label.indexOf(wanted);
  if (at < 0) return 4;
  const bare = label.endsWith("()") ? label.slice(0, -2) : label;
  if (bare === wanted || label === wanted) return 0;
  if (!/\w/.test(wanted[0])) return 3;
  if (bare.endsWith(wanted) && isBreak(bare[bare.length - wanted.length - 1])) return 1;
  for (let place = at; place >= 0; place = label.indexOf(wanted, place + 1)) if (place === 0 || isBreak(label[place - 1])) return 2;
  return 3;
}

function isBreak(letter) {
  return letter === undefined || !/\w/.test(letter);
}
