// The configuration of a traced suite: the project's own needs come from `suites.py`.
import path from 'node:path'

const { TRACED_ROOT: root, TRACED_TARGET: target, TRACED_SETTINGS: settings } = process.env
const { include, sources, ...rest } = JSON.parse(settings)

export default {
  root,
  cacheDir: path.join(target, 'cache'),
  ...rest,
  plugins: [
    {
      name: 'traced-begin', // imports are hoisted above this call
      enforce: 'pre',
      transform: (code, id) => (/\.(?:test|spec)\.[a-z]+$/.test(id) ? `globalThis.__tracedBegin?.();${code}` : undefined),
    },
  ],
  test: {
    globals: true,
    watch: false,
    maxWorkers: 1,
    include,
    setupFiles: [path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'executed_functions.mjs')],
    coverage: {
      enabled: true, provider: 'istanbul', include: sources, reporter: ['json-summary'], reportsDirectory: path.join(target, 'report'),
      reportOnFailure: true,
    },
  },
}
