// Prints what `node --test` runs for all tests: batches of the files of one folder, each a process, and the files that are
// a process each. Loading the server takes 0.6 s of CPU, which a hundred and fifty files would spend each.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Larger ones would go on alone when the others are done. */
const MAX_FILES = 6
const BATCHED = ['packages/**/*.test.ts', 'apps/**/*.test.ts']
const ALONE = ['test/**/*.test.ts', 'bench/*/*.test.ts', 'chaos/*/*.test.ts', 'e2e/**/*.test.ts']

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-batches')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const byFeature = Map.groupBy(find(BATCHED), featureOf)
const batches = [...byFeature].flatMap(([feature, files]) => inBatches(feature, files))
process.stdout.write(`${[...find(ALONE), ...batches.map(write)].join('\n')}\n`)

function find(patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
}

/** `server-messages`, `server-kernel-http`, `web`, `sdk`: what belongs together loads the same. */
function featureOf(path: string): string {
  const [, name = '', ...below] = dirname(path).split('/')
  return name === 'server' ? [name, ...below.slice(1)].join('-') : name
}

interface Batch {
  name: string
  files: readonly string[]
}

function inBatches(feature: string, files: readonly string[]): Batch[] {
  const count = feature.startsWith('server') ? Math.ceil(files.length / MAX_FILES) : 1
  return Array.from({ length: count }, (_, index) => ({
    name: `${feature}-${index + 1}`,
    files: files.filter((_file, place) => place % count === index),
  }))
}

/** Each file is a suite: what it does before and after its tests stays its own. */
function write({ name, files }: Batch): string {
  const suites = files.map((file) => {
    const url = JSON.stringify(join(root, file))
    return `describe(${JSON.stringify(file)}, async () => { await import(${url}) })\n`
  })
  const path = join(folder, `${name}.test.mjs`)
  writeFileSync(path, `import { describe } from 'node:test'\n${suites.join('')}`)
  return path
}
