// What is seen, and what is under the pointer? Communities as circles; the members of those that are near, with the edges of what is chosen.
// The page of a report and that of the daemon both draw with this. Their `graph` has columns of nodes (labels, degree, community) and of communities
// (ids, titles, folders, sizes, circles), and the method placed(community): the nodes inside with their places and pairs, or null as long as they are not there.
"use strict";

const SHOWN_EDGES = 300; // of the chosen node
const LABELS = 90; // at once; more cannot be read
const FLIGHT_MS = 350;
const TOO_MANY_LINES = 8000; // of one community, in one frame

class GraphMap {
  // `open`: pixels of a circle's radius from which its members are shown.
  constructor(canvas, graph, {open = 56} = {}) {
    Object.assign(this, {canvas, open, camera: {x: 0, y: 0, scale: 1}, chosen: {}, hover: null, edges: [], near: new Set()});
    this.take(graph);
    this.pen = canvas.getContext("2d");
    this.isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.readColours();
    this.resize();
  }

  take(graph) {
    this.graph = graph;
    this.circles = {...graph.circles, isInner: new Set(graph.circles.order.slice(0, graph.circles.packed))};
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.fill = this.colour("fill");
    this.ink = this.colour("ink");
    this.draw();
  }

  hue(community, lightness = this.fill, alpha = 1) {
    const number = this.graph.ids[community];
    return number < 0 ? `hsl(0 0% ${lightness} / ${alpha})` : `hsl(${(number * 137.508 + 205) % 360} 55% ${lightness} / ${alpha})`;
  }

  resize() {
    const {clientWidth, clientHeight} = this.canvas, dense = window.devicePixelRatio || 1;
    if (!clientWidth) return; // not on the page now
    const first = !this.width, isSame = clientWidth === this.width && clientHeight === this.height;
    [this.width, this.height, this.dense] = [clientWidth, clientHeight, dense];
    this.canvas.width = Math.round(clientWidth * dense);
    this.canvas.height = Math.round(clientHeight * dense);
    if (first) this.fitted = () => this.whole();
    if (this.fitted && !isSame) {
      this.flight = null;
      this.camera = this.fitted();
    }
    this.draw();
  }

  // -- where the camera is

  whole() {
    return this.around(this.circles.order, 1);
  }

  around(communities, margin) {
    const {x, y, radius} = this.circles;
    const left = Math.min(...communities.map((one) => x[one] - radius[one])), right = Math.max(...communities.map((one) => x[one] + radius[one]));
    const top = Math.min(...communities.map((one) => y[one] - radius[one])), bottom = Math.max(...communities.map((one) => y[one] + radius[one]));
    const scale = Math.min(this.width / ((right - left) * margin + 40), this.height / ((bottom - top) * margin + 40), 6);
    return {x: (left + right) / 2, y: (top + bottom) / 2, scale: scale || 1};
  }

  // Show what `camera` gives, and go on showing it when the window changes its size, until somebody moves the map.
  fit(camera) {
    this.fitted = camera;
    this.fly(camera());
  }

  fly(camera) {
    const from = this.camera, start = performance.now();
    const flight = this.flight = {};
    if (this.isStill) {
      this.camera = camera;
      return this.draw();
    }
    const step = (now) => {
      if (this.flight !== flight) return;
      const part = Math.min(1, Math.max(0, (now - start) / FLIGHT_MS)), eased = part * part * (3 - 2 * part);
      const scale = from.scale * Math.pow(camera.scale / from.scale, eased);
      this.camera = {x: from.x + (camera.x - from.x) * eased, y: from.y + (camera.y - from.y) * eased, scale};
      this.draw();
      if (part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  move(right, down) {
    this.flight = this.fitted = null;
    this.camera = {...this.camera, x: this.camera.x - right / this.camera.scale, y: this.camera.y - down / this.camera.scale};
    this.draw();
  }

  // The place of the window that stays where it is when no pointer says which: what is chosen, where it is seen; else the middle.
  focus() {
    const middle = [this.width / 2, this.height / 2], {node, community} = this.chosen;
    if (node === undefined && community === undefined) return middle;
    const [px, py] = this.seen(...(node !== undefined ? this.spot(node) : [this.circles.x[community], this.circles.y[community]]));
    return px >= 0 && px <= this.width && py >= 0 && py <= this.height ? [px, py] : middle;
  }

  zoom(factor, px, py) {
    if (px === undefined) [px, py] = this.focus();
    this.flight = this.fitted = null;
    const {x, y, scale} = this.camera, next = Math.min(12, Math.max(this.whole().scale / 3, scale * factor));
    const wx = x + (px - this.width / 2) / scale, wy = y + (py - this.height / 2) / scale;
    this.camera = {x: wx - (px - this.width / 2) / next, y: wy - (py - this.height / 2) / next, scale: next};
    this.draw();
  }

  seen(wx, wy) {
    return [(wx - this.camera.x) * this.camera.scale + this.width / 2, (wy - this.camera.y) * this.camera.scale + this.height / 2];
  }

  // -- what is chosen

  choose(chosen, edges) {
    this.chosen = chosen;
    this.edges = edges.slice(0, SHOWN_EDGES);
    this.near = new Set(this.edges.map((edge) => edge.node));
    this.nearCommunities = new Set(this.edges.map((edge) => this.graph.community[edge.node]));
    if (chosen.node !== undefined) this.fit(() => this.toNode(chosen.node));
    else if (chosen.community !== undefined) this.fit(() => this.around([chosen.community], 1.12));
    else this.fit(() => this.whole());
  }

  toNode(node) {
    const [x, y] = this.spot(node), inside = this.around([this.graph.community[node]], 1.12);
    const scale = Math.max(inside.scale, 1.6);
    return inside.scale >= 1.6 ? inside : {x, y, scale};
  }

  spot(node) {
    const community = this.graph.community[node], {x, y, at} = this.graph.placed(community), place = at.get(node);
    return [this.circles.x[community] + x[place], this.circles.y[community] + y[place]];
  }

  size(node) {
    return Math.min(5.5, 1.8 + 0.5 * Math.sqrt(this.graph.degree[node]));
  }

  isOpen(community) {
    const far = this.circles.radius[community] * this.camera.scale;
    const isNear = far >= this.open || (community === this.chosen.community && far > 30) || (this.graph.sizes[community] < 12 && this.camera.scale > 1.5);
    return isNear && this.graph.placed(community) !== null;
  }

  isVisible(community) {
    const [px, py] = this.seen(this.circles.x[community], this.circles.y[community]), far = this.circles.radius[community] * this.camera.scale + 4;
    return px > -far && py > -far && px < this.width + far && py < this.height + far;
  }

  // What is at a point of the screen: {node}, {community} or null.
  at(px, py) {
    const {x, y, radius, order} = this.circles, {scale} = this.camera;
    const wx = this.camera.x + (px - this.width / 2) / scale, wy = this.camera.y + (py - this.height / 2) / scale;
    const community = order.find((one) => Math.hypot(wx - x[one], wy - y[one]) <= Math.max(radius[one], 5 / scale));
    if (community === undefined) return null;
    return this.isOpen(community) ? this.memberAt(community, wx - x[community], wy - y[community]) : {community};
  }

  memberAt(community, wx, wy) {
    const {x, y, nodes} = this.graph.placed(community);
    let best = -1, least = Infinity;
    nodes.forEach((node, place) => {
      const far = Math.hypot(x[place] - wx, y[place] - wy) - this.size(node);
      if (far < least) [best, least] = [node, far];
    });
    return least * this.camera.scale < 6 ? {node: best} : {community};
  }

  // -- drawing

  draw() {
    if (this.isDue || !this.width) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  paint() {
    const {pen, dense, width, height, circles} = this;
    pen.setTransform(dense, 0, 0, dense, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.labels = [];
    const visible = circles.order.filter((one) => this.isVisible(one)), open = visible.filter((one) => this.isOpen(one));
    this.paintTies();
    for (const one of visible) this.paintCircle(one);
    for (const one of open) this.paintMembers(one);
    this.paintEdges();
    this.label(visible, open);
  }

  paintTies() {
    const {pen, circles} = this, chosen = this.hover?.community ?? this.chosen.community;
    const isCalm = this.chosen.node !== undefined;
    for (const [one, other, count] of circles.ties) {
      const isChosen = !isCalm && (one === chosen || other === chosen);
      pen.strokeStyle = this.colour("edge");
      pen.globalAlpha = isChosen ? 0.75 : isCalm || chosen !== undefined ? 0.1 : 0.24;
      pen.lineWidth = Math.min(6, 0.5 + 0.35 * Math.log2(1 + count)) * (isChosen ? 1.4 : 1);
      this.line(this.seen(circles.x[one], circles.y[one]), this.seen(circles.x[other], circles.y[other]), 0);
    }
    pen.globalAlpha = 1;
  }

  line([ax, ay], [bx, by], bend) {
    const {pen} = this;
    pen.beginPath();
    pen.moveTo(ax, ay);
    if (bend) pen.quadraticCurveTo((ax + bx) / 2 + (by - ay) * bend, (ay + by) / 2 - (bx - ax) * bend, bx, by);
    else pen.lineTo(bx, by);
    pen.stroke();
  }

  paintCircle(one) {
    const {pen, circles} = this, [px, py] = this.seen(circles.x[one], circles.y[one]), far = Math.max(1.2, circles.radius[one] * this.camera.scale);
    const isOpen = this.isOpen(one), isFaint = this.chosen.node !== undefined && this.graph.community[this.chosen.node] !== one && !this.nearCommunities.has(one);
    pen.beginPath();
    pen.arc(px, py, far, 0, 2 * Math.PI);
    pen.globalAlpha = 1;
    pen.fillStyle = this.colour("ground");
    pen.fill();
    pen.globalAlpha = isFaint ? 0.25 : 1;
    pen.fillStyle = this.hue(one, this.fill, isOpen ? 0.1 : circles.isInner.has(one) ? 0.55 : 0.35);
    pen.fill();
    const isChosen = this.chosen.community === one || this.hover?.community === one;
    pen.lineWidth = isChosen ? 2.5 : 1;
    pen.strokeStyle = this.hue(one, this.ink, isChosen ? 1 : 0.6);
    if (far > 3) pen.stroke();
    pen.globalAlpha = 1;
  }

  paintMembers(one) {
    const {pen, circles, graph, camera} = this, {x, y, pairs, nodes} = graph.placed(one);
    const spots = nodes.map((_, place) => this.seen(circles.x[one] + x[place], circles.y[one] + y[place]));
    const isCalm = this.chosen.node !== undefined;
    pen.strokeStyle = this.hue(one, this.ink);
    pen.globalAlpha = (isCalm ? 0.1 : 0.4) / (1 + pairs.length / 6000);
    pen.lineWidth = Math.min(1, 0.5 * camera.scale);
    pen.beginPath();
    for (let pair = 0; pair < Math.min(pairs.length, 2 * TOO_MANY_LINES); pair += 2) {
      pen.moveTo(...spots[pairs[pair]]);
      pen.lineTo(...spots[pairs[pair + 1]]);
    }
    pen.stroke();
    nodes.forEach((node, place) => {
      const [px, py] = spots[place], far = Math.max(1, this.size(node) * camera.scale);
      if (px < -far || py < -far || px > this.width + far || py > this.height + far) return;
      const matters = !isCalm || node === this.chosen.node || this.near.has(node);
      pen.globalAlpha = matters ? 1 : 0.25;
      pen.fillStyle = this.hue(one);
      pen.beginPath();
      pen.arc(px, py, far, 0, 2 * Math.PI);
      pen.fill();
      if (node === this.hover?.node) {
        pen.lineWidth = 2;
        pen.strokeStyle = this.colour("text");
        pen.stroke();
      }
    });
    pen.globalAlpha = 1;
  }

  paintEdges() {
    if (this.chosen.node === undefined) return;
    const {pen, camera} = this, here = this.seen(...this.spot(this.chosen.node));
    for (const {node, comesIn, confidence} of [...this.edges].reverse()) {
      const there = this.seen(...this.spot(node));
      pen.strokeStyle = this.colour(comesIn ? "incoming" : "outgoing");
      pen.globalAlpha = (confidence ? 0.35 : 0.75) / (1 + this.edges.length / 150);
      pen.lineWidth = 1.3;
      pen.setLineDash(confidence ? [4, 4] : []);
      this.line(comesIn ? there : here, comesIn ? here : there, 0.12);
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    pen.lineWidth = 3;
    pen.strokeStyle = this.colour("text");
    pen.fillStyle = this.hue(this.graph.community[this.chosen.node]);
    pen.beginPath();
    pen.arc(...here, Math.max(5, this.size(this.chosen.node) * camera.scale + 1), 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }

  // -- labels, the most important first; one that would cover another is left out

  label(visible, open) {
    const {circles, graph, chosen} = this;
    if (chosen.node !== undefined) this.labelNode(chosen.node, 14, true);
    if (this.hover?.node !== undefined) this.labelNode(this.hover.node, 13, true);
    for (const one of visible) {
      const far = circles.radius[one] * this.camera.scale;
      if (far > 13 || one === this.hover?.community) this.labelCircle(one, far);
    }
    if (chosen.node !== undefined) for (const {node} of this.edges) this.labelNode(node, 11.5, false);
    for (const one of open) {
      graph.placed(one).nodes.slice(0, 200).forEach((node, place) => {
        const isLarge = this.size(node) * this.camera.scale > 4 || (one === chosen.community && place < 40);
        if (isLarge) this.labelNode(node, 11.5, false);
      });
    }
  }

  labelCircle(one, far) {
    const [px, py] = this.seen(this.circles.x[one], this.circles.y[one]), isOpen = this.isOpen(one);
    const [strongest, ...others] = isOpen ? [this.graph.titles[one]] : this.graph.titles[one].split(", "), size = Math.round(Math.min(17, Math.max(11, far / 4)));
    const second = far > 22 ? others.join(", ") : "", top = isOpen ? py - far - size : second ? py - 8 : py;
    const isTold = [Math.max(2 * far, isOpen ? 200 : 110), 2 * far - 4].some((room) => this.write(this.shortened(strongest, `600 ${size}px`, room), px, top, `600 ${size}px`));
    if (isTold && second) this.write(this.shortened(second, "11px", Math.max(90, 2 * far - 12)), px, top + 19, "11px");
  }

  labelNode(node, size, always) {
    const [px, py] = this.seen(...this.spot(node));
    if (px < 0 || py < 0 || px > this.width || py > this.height) return;
    const far = Math.max(1, this.size(node) * this.camera.scale);
    this.write(this.shortened(this.graph.labels[node], `${size}px`, 260), px, py + far + size * 0.8, `${always ? 600 : 400} ${size}px`, always);
  }

  // As many of the last parts of a path as there is room for.
  shortened(text, font, room) {
    this.pen.font = `${font} system-ui, sans-serif`;
    const fits = (part) => this.pen.measureText(part).width <= room;
    let short = text;
    while (!fits(short) && short.includes("/")) short = short.slice(short.indexOf("/") + 1);
    while (!fits(short) && short.length > 4) short = `${short.slice(0, -2)}…`;
    return short;
  }

  // Whether there was room for it.
  write(text, px, py, font, always = false) {
    const {pen} = this;
    pen.font = `${font} system-ui, sans-serif`;
    const half = pen.measureText(text).width / 2 + 3, box = [px - half, py - 9, px + half, py + 9];
    const isFree = this.labels.every(([left, top, right, bottom]) => box[2] < left || box[0] > right || box[3] < top || box[1] > bottom);
    if (!always && (!isFree || this.labels.length >= LABELS)) return false;
    this.labels.push(box);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 3.5;
    pen.lineJoin = "round";
    pen.strokeStyle = this.colour("halo");
    pen.globalAlpha = 0.85;
    pen.strokeText(text, px, py);
    pen.globalAlpha = 1;
    pen.fillStyle = this.colour("text");
    pen.fillText(text, px, py);
    return true;
  }
}

globalThis.GraphMap = GraphMap; // of a script, and of a module that is imported for it
