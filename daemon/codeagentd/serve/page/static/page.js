// Makes the page live and quick: follows links without a new document, listens for changes, and has keys for everything.
// Without it every page works by itself.
import { keys } from "./keys.js"
import { colorSource } from "./source_colors.js"
import { suggestions } from "./suggestions.js"

const EVERY_S = 5 // the first page shows times and memory, which change without an event
const GATHER_MS = 20
const PART_MS = 10_000 // between two requests for a part that takes longer
const SLOW_MS = 150 // before a page says that another one is on its way
const main = document.getElementById("main")
const connection = document.getElementById("connection")
const loaders = { map: () => import("./map_page.js") } // scripts of single pages
let shown = location.href
let asking = null
let isArriving = false // at an address whose content is not there yet
let content = "" // of the main element, as it came

const isOurs = (url) => url.origin === location.origin && url.pathname !== "/events"

function localTimes(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime)
    const today = at.toDateString() === new Date().toDateString()
    time.textContent = today ? at.toLocaleTimeString() : at.toLocaleString()
    time.title = time.dateTime
  }
}

const partAt = new Map() // when parts were asked for, by address

// parts that take longer have a page of their own, whose content comes when this one is there
async function loadParts(known) {
  await Promise.all(
    [...main.querySelectorAll("[data-later]")].map(async (part) => {
      const address = part.dataset.later
      if (known.has(address)) {
        part.replaceChildren(...known.get(address))
        if (performance.now() - partAt.get(address) < PART_MS) return
      }
      partAt.set(address, performance.now())
      const response = await fetch(address, { headers: { "X-Main-Only": "1" } }).catch(() => null)
      if (!response?.ok || !part.isConnected) return
      part.innerHTML = await response.text()
      part.querySelector("h1")?.remove()
      localTimes(part)
    }),
  )
}

async function prepared(known = new Map()) {
  localTimes(main)
  loadParts(known)
  colorSource(main)
  const loader = loaders[main.dataset.page]
  if (loader) (await loader()).show(main)
}

async function load(url, { isNew, top = 0 }) {
  asking?.abort()
  asking = new AbortController()
  isArriving ||= isNew
  const waiting = isArriving && setTimeout(() => main.setAttribute("aria-busy", "true"), SLOW_MS)
  let response
  let text
  try {
    response = await fetch(url, { headers: { "X-Main-Only": "1" }, signal: asking.signal })
    text = await response.text()
  } catch (error) {
    if (error.name !== "AbortError") gone()
    return
  } finally {
    clearTimeout(waiting)
    main.removeAttribute("aria-busy")
  }
  if (response.status === 401) return location.reload()
  const elsewhere = response.headers.get("X-Location")
  if (elsewhere) {
    history.replaceState(history.state, "", elsewhere)
    shown = location.href
    return load(shown, { isNew, top })
  }
  connection.textContent = ""
  if (!isArriving && (text === content || isInUse())) {
    isLate = text !== content
    return
  }
  const before = isArriving ? null : place()
  const parts = isArriving ? [] : [...main.querySelectorAll("[data-later]")].map((part) => [part.dataset.later, [...part.childNodes]])
  content = text
  main.innerHTML = text
  main.dataset.page = response.headers.get("X-Page") ?? ""
  document.title = `${decodeURIComponent(response.headers.get("X-Title") ?? "")} – ${document.querySelector(".brand").textContent}`
  for (const link of document.querySelectorAll("nav a")) {
    link.dataset.page === main.dataset.page ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")
  }
  isArriving = false
  await prepared(new Map(parts))
  if (before) restore(before)
  else arrive(new URL(url, location), top)
}

// where the reader is, so that a change of the page does not move it
function place() {
  const focused = document.activeElement
  return {
    top: scrollY,
    at: controls().indexOf(focused),
    href: focused?.href,
    scrolled: scrollers().map((one) => [one.scrollLeft, one.scrollTop]),
    open: details().map((one) => one.open),
  }
}

const controls = () => [...main.querySelectorAll("a, button, input, select, textarea, [tabindex]")]
const scrollers = () => [...main.querySelectorAll("pre, .source, .wide")]
const details = () => [...main.querySelectorAll("details")]

function restore(before) {
  mark(location.hash)
  details().forEach((one, at) => (one.open = before.open[at] ?? false))
  scrollTo({ top: before.top, behavior: "instant" })
  scrollers().forEach((one, at) => one.scrollTo({ left: before.scrolled[at]?.[0], top: before.scrolled[at]?.[1], behavior: "instant" }))
  if (before.at < 0) return
  const all = controls()
  const same = all.find((link) => link.href && link.href === before.href) ?? all[before.at]
  same?.focus({ preventScroll: true })
}

// whether the reader has begun with something that new content would take away
function isInUse() {
  const isWritten = [...main.querySelectorAll("input, textarea")].some((field) => field.value !== field.defaultValue)
  const isIn = main.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")
  const selection = getSelection()
  return isWritten || isIn || (!selection.isCollapsed && main.contains(selection.anchorNode))
}

function arrive(url, top) {
  const target = url.hash && document.getElementById(decodeURIComponent(url.hash.slice(1)))
  mark(url.hash)
  if (target && !top) target.scrollIntoView({ block: "center", behavior: "instant" })
  else scrollTo({ top, behavior: "instant" })
  main.focus({ preventScroll: true })
}

// content that came after its address: only going to the fragment again makes an element of it the target
function mark(hash) {
  if (hash) location.replace(hash)
}

export async function go(address) {
  const url = new URL(address, location)
  const isSame = url.pathname + url.search === location.pathname + location.search
  history.replaceState({ top: scrollY }, "")
  history.pushState(null, "", url)
  shown = url.href
  if (isSame && url.hash) location.replace(url.hash)
  else await load(url.href, { isNew: true })
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]")
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const url = new URL(link.href)
  if (!isOurs(url) || link.target || link.getAttribute("href").startsWith("#")) return
  event.preventDefault()
  go(url)
})

document.addEventListener("submit", (event) => {
  const form = event.target
  if (form.method !== "get" || event.defaultPrevented) return
  event.preventDefault()
  const url = new URL(form.action)
  for (const [name, value] of new FormData(form)) if (value) url.searchParams.set(name, value)
  go(url)
})

addEventListener("popstate", (event) => {
  const moved = new URL(location).pathname + location.search !== new URL(shown).pathname + new URL(shown).search
  shown = location.href
  if (moved) load(location.href, { isNew: true, top: event.state?.top ?? 0 })
})

// changes

let due = 0
let isLate = false
let refreshed = -Infinity
// the first change is shown at once, those that follow closely together
function refresh(pause = 250) {
  clearTimeout(due)
  due = setTimeout(() => {
    refreshed = performance.now()
    if (isInUse()) isLate = true
    else if (!document.hidden && !main.querySelector("[data-still]")) load(location.href, { isNew: false })
  }, Math.max(GATHER_MS, refreshed + pause - performance.now()))
}

// a change that came while the page was in use is shown when it is not any more
function catchUp() {
  if (!isLate || isInUse()) return
  isLate = false
  refresh()
}
document.addEventListener("selectionchange", catchUp)
main.addEventListener("focusout", () => setTimeout(catchUp))

function gone() {
  connection.textContent = "The daemon does not answer. This page comes back with it; `codeagentd start` starts it."
}

let isGone = false
const events = new EventSource("/events")
events.addEventListener("here", (event) => {
  connection.textContent = ""
  if (isGone || event.data !== main.dataset.changes) refresh() // something has changed before there was a stream
  main.dataset.changes = event.data
  isGone = false
})
events.addEventListener("changed", (event) => {
  const what = JSON.parse(event.data)
  const page = main.dataset.page
  if (what.some((one) => one !== "calls")) refresh()
  else if (page === "now") refresh(2000)
})
events.addEventListener("error", () => {
  isGone = true
  gone()
  // a browser gives up where the answer is an error, such as that of a cookie that is not valid any more
  if (events.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000)
})
setInterval(() => main.dataset.page === "now" && !isGone && refresh(), EVERY_S * 1000)
document.addEventListener("visibilitychange", () => document.hidden || isGone || refresh())

if (new URLSearchParams(location.hash.slice(1)).has("token")) history.replaceState(null, "", location.pathname + location.search)
keys(go, main)
suggestions(go)
prepared()
