// A setup file of vitest that records which functions each test file executes: istanbul's counters when the file ends, less those after its imports.
import { createRequire } from 'node:module'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const { TRACED_ROOT: root, TRACED_TARGET: target, TRACED_MODULES: modules } = process.env
const { TraceMap, originalPositionFor } = createRequire(`${modules}/`)('@jridgewell/trace-mapping')

const counted = () => globalThis.__VITEST_COVERAGE__ ?? {}
let before = {}
globalThis.__tracedBegin = () => {
  before = Object.fromEntries(Object.entries(counted()).map(([file, data]) => [file, { ...data.f }]))
}

// [path, first line, last line, name] of a function in the file that was written; null for one that the compiler made.
function place(file, data, map, number) {
  const { decl, loc, name } = data.fnMap[number]
  const original = (position) => (map ? originalPositionFor(map, position) : position)
  const [start, end] = [original(decl.start), original(loc.end)]
  if (!start.line) return null
  return [path.relative(root, file), start.line, Math.max(start.line, end.line ?? 0), name]
}

afterAll(() => {
  const executed = []
  for (const [file, data] of Object.entries(counted())) {
    const map = data.inputSourceMap ? new TraceMap(data.inputSourceMap) : null
    for (const [number, times] of Object.entries(data.f)) {
      if (times > (before[file]?.[number] ?? 0)) executed.push(place(file, data, map, number))
    }
  }
  const test = path.relative(root, expect.getState().testPath)
  mkdirSync(target, { recursive: true })
  writeFileSync(path.join(target, `${test.replaceAll('/', '+')}.json`), JSON.stringify({ test, executed: executed.filter(Boolean) }))
})
