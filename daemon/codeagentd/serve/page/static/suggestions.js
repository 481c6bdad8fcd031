// The list below the search field: symbols whose names fit what is typed.
const PAUSE_MS = 60

export function suggestions(go) {
  const field = document.getElementById("q")
  const list = document.createElement("ul")
  list.id = "suggestions"
  list.role = "listbox"
  list.hidden = true
  list.ariaLabel = "Symbols"
  field.after(list)
  field.setAttribute("role", "combobox")
  field.setAttribute("aria-controls", list.id)
  field.setAttribute("aria-expanded", "false")
  field.setAttribute("aria-autocomplete", "list")
  let asked = ""
  let timer = 0
  let chosen = -1

  function show(isOpen) {
    list.hidden = !isOpen
    field.setAttribute("aria-expanded", String(isOpen))
    if (!isOpen) choose(-1)
  }
  function choose(at) {
    chosen = at
    ;[...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === at)))
    const item = list.children[at]
    item ? field.setAttribute("aria-activedescendant", item.id) : field.removeAttribute("aria-activedescendant")
    item?.scrollIntoView({ block: "nearest" })
  }
  async function ask() {
    const text = field.value.trim()
    asked = text
    if (!text) return show(false)
    const response = await fetch(`/suggest?q=${encodeURIComponent(text)}`)
    if (!response.ok || asked !== text || document.activeElement !== field) return
    const found = await response.json()
    list.replaceChildren(
      ...found.map((one, number) => {
        const item = document.createElement("li")
        item.id = `suggestion-${number}`
        item.role = "option"
        item.dataset.url = one.url
        const name = document.createElement("bdi")
        name.textContent = one.label
        const place = document.createElement("span")
        place.className = "quiet"
        place.textContent = ` ${one.kind} ${one.place}`
        item.append(name, place)
        return item
      }),
    )
    show(found.length > 0)
    choose(-1)
  }

  field.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(ask, PAUSE_MS)
  })
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      const count = list.children.length
      choose(event.key === "ArrowDown" ? (chosen + 1) % count : (chosen - 1 + count) % count)
    } else if (event.key === "Enter" && chosen >= 0) {
      event.preventDefault()
      const { url } = list.children[chosen].dataset
      show(false)
      go(url)
    } else if (event.key === "Escape") show(false)
  })
  field.form.addEventListener("submit", () => show(false))
  field.addEventListener("blur", () => setTimeout(() => show(false), 150))
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("li")
    if (!item) return
    event.preventDefault()
    show(false)
    go(item.dataset.url)
  })
}
