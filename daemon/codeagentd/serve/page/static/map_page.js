// The picture of the map beside its lists. What is chosen is in the address; the canvas lives on when the lists are shown anew.
import "./map.js"

const OPEN = 130 // pixels of a circle's radius from which its members are fetched and shown
const MOVES = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }
const NAME = "Map of the parts of the code. Arrow keys move it, plus and minus zoom, 0 shows all, Escape leaves a part. The lists have everything that it shows."

let picture = null // one canvas, as long as the document lives

// Called whenever the inside of the main element is new.
export async function show(main) {
  const stage = main.querySelector("#stage")
  if (!stage) return
  picture ??= new Picture()
  picture.enter(stage)
  await picture.follow(stage.dataset)
}

class Picture {
  constructor() {
    this.element = document.createElement("div")
    this.element.className = "map-picture"
    this.canvas = document.createElement("canvas")
    this.canvas.tabIndex = 0
    this.canvas.setAttribute("role", "img")
    this.canvas.setAttribute("aria-label", NAME)
    this.tip = document.createElement("p")
    this.tip.className = "map-tip"
    this.tip.hidden = true
    this.element.append(this.canvas, this.tools(), this.tip)
    this.pointers = new Map()
    this.moved = 0
    this.version = ""
    this.isFocused = false
    this.listen()
  }

  tools() {
    const tools = document.createElement("div")
    tools.className = "map-tools"
    for (const [text, label, act] of [
      ["+", "Zoom in", () => this.map?.zoom(1.4)],
      ["−", "Zoom out", () => this.map?.zoom(1 / 1.4)],
      ["▣", "Show all", () => this.map?.fit(() => this.map.whole())],
    ]) {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: label, ariaLabel: label, onclick: act })
      tools.append(button)
    }
    return tools
  }

  // The page puts new lists in place of the old ones, and its focus on the main element.
  enter(stage) {
    const wasFocused = this.isFocused
    stage.append(this.element)
    if (wasFocused) setTimeout(() => this.canvas.isConnected && this.canvas.focus({ preventScroll: true }))
  }

  // Show the map of an analysis and what is chosen on it. A newer analysis alone moves nobody.
  async follow({ version, query, chosen }) {
    let isElsewhere = !this.map || query !== this.query
    this.query = query
    if (version !== this.version) {
      const response = await fetch(`/map/data${query}`)
      if (!response.ok) return
      const data = await response.json()
      if (this.query !== query) return
      this.version = data.version
      this.take(data)
    }
    isElsewhere ||= chosen !== this.chosenId
    this.chosenId = chosen
    const community = chosen ? this.graph.ids.indexOf(Number(chosen)) : -1
    const next = community >= 0 ? { community } : {}
    if (isElsewhere) this.map.choose(next, [])
    else this.map.chosen = next
    this.map.draw()
  }

  take(data) {
    const graph = (this.graph = { ...data, labels: [], degree: [], community: [], urls: [], places: [] })
    const members = new Map()
    graph.placed = (community) => {
      if (!members.has(community)) {
        members.set(community, null)
        this.fetchMembers(graph, community).then((found) => {
          members.set(community, found)
          if (this.graph === graph) this.map.draw()
        })
      }
      return members.get(community)
    }
    this.hover(null)
    if (this.map) this.map.take(graph)
    else this.map = new GraphMap(this.canvas, graph, { open: OPEN })
  }

  // The members as columns, and their numbers among all that were fetched.
  async fetchMembers(graph, community) {
    const address = new URLSearchParams(this.query)
    address.set("community", graph.ids[community])
    const response = await fetch(`/map/members?${address}`)
    if (!response.ok) return null
    const found = await response.json()
    const first = graph.labels.length
    found.labels.forEach((label, place) => {
      graph.labels.push(label)
      graph.degree.push(found.degrees[place])
      graph.community.push(community)
      graph.urls.push(found.urls[place])
      graph.places.push(found.places[place])
    })
    const nodes = found.labels.map((_, place) => first + place)
    return { nodes, x: found.x, y: found.y, pairs: found.pairs, at: new Map(nodes.map((node, place) => [node, place])) }
  }

  // the page follows links, with the back button and a new main element
  go(address) {
    const link = Object.assign(document.createElement("a"), { href: address, hidden: true })
    this.element.append(link)
    link.click()
    link.remove()
  }

  open(found) {
    if (found?.node !== undefined) this.go(this.graph.urls[found.node])
    else {
      const address = new URLSearchParams(this.query)
      if (found) address.set("community", this.graph.ids[found.community])
      const query = address.toString()
      if (found || this.chosenId) this.go(`/map${query && "?"}${query}`)
    }
  }

  hover(found, px = 0, py = 0) {
    const { map, tip, graph } = this
    if (!map) return
    const isSame = map.hover?.node === found?.node && map.hover?.community === found?.community
    map.hover = found
    this.canvas.classList.toggle("over", Boolean(found))
    tip.hidden = !found
    if (!isSame) map.draw()
    if (!found) return
    const { node, community } = found
    const title = document.createElement("b")
    const count = (number) => number.toLocaleString("en")
    title.textContent = node !== undefined ? graph.labels[node] : graph.titles[community]
    tip.replaceChildren(title, node !== undefined ? ` ${graph.places[node]}, ${count(graph.degree[node])} neighbours` : ` ${count(graph.sizes[community])} symbols, mostly in ${graph.folders[community] || "."}`)
    const left = Math.min(px + 14, map.width - tip.offsetWidth - 6)
    const top = py + 18 + tip.offsetHeight > map.height ? py - tip.offsetHeight - 10 : py + 18
    tip.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`
  }

  listen() {
    const { canvas } = this
    canvas.addEventListener("focus", () => (this.isFocused = true))
    canvas.addEventListener("blur", () => (this.isFocused = !canvas.isConnected))
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId)
      this.pointers.set(event.pointerId, [event.offsetX, event.offsetY])
      this.moved = 0
      this.element.dataset.still = "" // a change that arrives now would take the canvas out of the hand
    })
    canvas.addEventListener("pointermove", (event) => this.drag(event))
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => {
        delete this.element.dataset.still
        canvas.classList.remove("moving")
        const isClick = this.pointers.delete(event.pointerId) && this.moved < 4 && kind === "pointerup"
        if (isClick && this.map) this.open(this.map.at(event.offsetX, event.offsetY))
      })
    }
    canvas.addEventListener("pointerleave", () => this.hover(null))
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault()
        const pixels = event.deltaY * (event.deltaMode ? 20 : 1)
        this.map?.zoom(Math.exp(-Math.max(-120, Math.min(120, pixels)) * 0.0025), event.offsetX, event.offsetY)
      },
      { passive: false },
    )
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !MOVES[event.key]) return
      this.map?.move(...MOVES[event.key])
      event.preventDefault() // else the page walks through its entries
    })
    document.addEventListener("keydown", (event) => this.press(event))
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.map?.readColours())
  }

  drag(event) {
    if (!this.map) return
    const before = this.pointers.get(event.pointerId)
    const now = [event.offsetX, event.offsetY]
    if (!before) return this.hover(this.map.at(...now), ...now)
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place)
    this.pointers.set(event.pointerId, now)
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1])
    if (this.moved < 4) return
    this.canvas.classList.add("moving")
    this.hover(null)
    if (others.length) {
      const [ox, oy] = others[0]
      const was = Math.hypot(before[0] - ox, before[1] - oy) || 1
      this.map.zoom((Math.hypot(now[0] - ox, now[1] - oy) || 1) / was, (now[0] + ox) / 2, (now[1] + oy) / 2)
    } else this.map.move(now[0] - before[0], now[1] - before[1])
  }

  // wherever the focus is on this page, but for fields
  press(event) {
    if (!this.canvas.isConnected || !this.map || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.closest("input, textarea, select, dialog")) return
    if (event.key === "+" || event.key === "=") this.map.zoom(1.25)
    else if (event.key === "-") this.map.zoom(0.8)
    else if (event.key === "0") this.map.fit(() => this.map.whole())
    else if (event.key === "Escape" && this.chosenId) this.open(null)
    else return
    event.preventDefault()
  }
}
