// The keys: `/` searches, `g` and a letter opens a page, arrows walk through the entries, `o` opens the editor.
export function keys(go, main) {
  const dialog = document.getElementById("keys")
  const pages = new Map()
  const links = [...document.querySelectorAll("nav a")]
  const letters = [...dialog.querySelectorAll("dt")].filter((term) => term.querySelectorAll("kbd").length === 2 && term.textContent.includes("g"))
  letters.forEach((term, at) => pages.set(term.querySelectorAll("kbd")[1].textContent, links[at]?.href))
  let isGoing = false

  const entries = () => [...main.querySelectorAll(".main-link")].filter((link) => link.checkVisibility())
  function walk(step) {
    const all = entries()
    if (!all.length) return false
    const at = all.indexOf(document.activeElement)
    const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))
    all[next].focus()
    all[next].scrollIntoView({ block: "nearest" })
    return true
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || dialog.open) return
    const isField = event.target.matches("input, textarea, select")
    if (isField) {
      if (event.key === "Escape") event.target.blur()
      return
    }
    if (isGoing) {
      isGoing = false
      const url = pages.get(event.key)
      if (url) {
        event.preventDefault()
        go(url)
        return
      }
    }
    if (event.key === "/") {
      event.preventDefault()
      const field = document.getElementById("q")
      field.focus()
      field.select()
    } else if (event.key === "g") isGoing = true
    else if (event.key === "?") dialog.showModal()
    else if (event.key === "o") main.querySelector(".editors a")?.click()
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const inScroller = event.target.closest("pre, .source, .wide")
      if (!inScroller && walk(event.key === "ArrowDown" ? 1 : -1)) event.preventDefault()
    }
  })
}
