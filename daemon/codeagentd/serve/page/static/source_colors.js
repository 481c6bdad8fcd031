// Colours source that is shown already: ranges of text, without a change of the document.
const NAMES = ["comment", "string", "keyword", "number"]

export async function colorSource(main) {
  if (!CSS.highlights) return
  for (const name of NAMES) CSS.highlights.delete(name)
  for (const source of main.querySelectorAll("[data-colors]")) {
    const response = await fetch(source.dataset.colors).catch(() => null)
    if (!response?.ok || !source.isConnected) continue
    const colors = await response.json()
    const cells = new Map([...source.querySelectorAll("tr")].map((row) => [Number(row.id.slice(1)), row.cells[1]]))
    for (const name of NAMES) {
      const ranges = (colors[name] ?? []).flatMap(([line, column, length]) => rangesIn(cells.get(line), column, column + length, name === "keyword"))
      if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges, ...(CSS.highlights.get(name) ?? [])))
    }
  }
}

// the ranges of the text nodes of a cell between two positions of its text; lexers take types for keywords: links keep their colour
function rangesIn(cell, start, end, spareLinks) {
  const ranges = []
  let at = 0
  for (const child of cell?.childNodes ?? []) {
    const text = child.nodeType === Node.TEXT_NODE ? child : child.firstChild
    const length = text?.length ?? 0
    if (start < at + length && end > at && !(spareLinks && child.nodeType !== Node.TEXT_NODE)) {
      const range = new StaticRange({
        startContainer: text, startOffset: Math.max(0, start - at), endContainer: text, endOffset: Math.min(length, end - at),
      })
      ranges.push(range)
    }
    at += length
  }
  return ranges
}
