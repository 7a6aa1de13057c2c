// Prints what `node --test` runs, each a process: batches of the files of one folder, and of one file each where browsers or
// whole programs are run. All tests, or those that the changes since a commit concern: `make.ts --changed main`. Loading the server takes 0.6 s of CPU, which a hundred and fifty files would spend each.
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findChangedTests } from './changed.ts'

/** Files of a batch of the server. Larger batches would go on alone when the others are done. */
const MAX_FILES = 8
/** Longest run of a batch, in milliseconds: several times that of the longest on a busy machine. */
const MAX_BATCH_MS = 600_000
/** Of few lines, and yet begun early: they start databases, read all sources, or see every page. */
const LONG = [
  'server-postgres',
  'server-kernel',
  'server-kernel-cluster',
  'server-files',
  'architecture',
  'e2e-accessibility',
  'e2e-accessibility-settings',
  'e2e-wrong-clock',
  'e2e-welcome',
]
const BATCHED = [
  'packages/**/*.test.ts',
  'apps/**/*.test.ts',
  'test/**/*.test.ts',
  'openapi/*.test.ts',
  'clients/*.test.ts',
]
const ALONE = ['bench/*/*.test.ts', 'chaos/*/*.test.ts', 'e2e/**/*.test.ts']

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-batches')

const { values } = parseArgs({ options: { changed: { type: 'string' } } })
const chosen = values.changed === undefined ? undefined : findChangedTests(root, values.changed)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const byFeature = Map.groupBy(find(BATCHED), featureOf)
const split = [...byFeature].flatMap(([feature, files]) => inBatches(feature, files))
const batches = mergeSmall(split).toSorted(compareSizes)
const alone = find(ALONE).map(asBatch).toSorted(compareSizes)
// Node begins them in the order of their paths. Browsers want all cores and servers wait much: side by side neither is slow.
const begun = [...spread(batches), ...spread(alone)].toSorted((one, other) => one.at - other.at)
for (const [place, { batch }] of begun.entries()) process.stdout.write(`${write(batch, place)}\n`)

function find(patterns: readonly string[]): string[] {
  const found = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
  return found.filter((path) => !chosen || chosen.has(path)).sort()
}

/** `server-messages`, `server-kernel-http`, `web`, `sdk`: what belongs together loads the same. */
function featureOf(path: string): string {
  const [, name = '', ...below] = dirname(path).split('/')
  return name === 'server' ? [name, ...below.slice(1)].join('-') : name
}

interface Batch {
  feature: string
  name: string
  files: readonly string[]
}

function inBatches(feature: string, files: readonly string[]): Batch[] {
  const count = feature.startsWith('server') ? Math.ceil(files.length / MAX_FILES) : 1
  return Array.from({ length: count }, (_, index) => ({
    feature,
    name: `${feature}-${index + 1}`,
    files: files.filter((_file, place) => place % count === index),
  }))
}

/** A batch of few files spends most of its time on loading the server: it goes on with the next one of the server. */
function mergeSmall(split: readonly Batch[]): Batch[] {
  const merged: Batch[] = []
  for (const batch of split) {
    const last = merged.at(-1)
    const fits = last !== undefined && last.files.length + batch.files.length <= MAX_FILES
    if (fits && mayMerge(last) && mayMerge(batch)) {
      merged[merged.length - 1] = { ...last, files: [...last.files, ...batch.files] }
    } else merged.push(batch)
  }
  return merged
}

function mayMerge({ feature }: Batch): boolean {
  return feature.startsWith('server') && !LONG.includes(feature)
}

function asBatch(path: string): Batch {
  const name = `${path.split('/')[0]}-${basename(path, '.test.ts')}`
  return { feature: name, name, files: [path] }
}

/** When to begin each of a list, from 0 to 1: the small ones last, whatever else is run. */
function spread(list: readonly Batch[]): { batch: Batch; at: number }[] {
  return list.map((batch, index) => ({ batch, at: (index + 0.5) / list.length }))
}

function compareSizes(one: Batch, other: Batch): number {
  const [size, otherSize] = [sizeOf(one), sizeOf(other)]
  return size === otherSize ? 0 : otherSize - size
}

/** What there is to read is a measure of how long it takes, as a rule. */
function sizeOf({ feature, files }: Batch): number {
  if (LONG.includes(feature)) return Infinity
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
}

/**
 * Each file is a suite: what it does before and after its tests stays its own. A test that waits for ever, in a process that its
 * servers keep alive, would hold up the whole run: the time of a batch is limited.
 */
function write({ name, files }: Batch, place: number): string {
  const suites = files.map((file) => {
    const url = JSON.stringify(join(root, file))
    return `describe(${JSON.stringify(file)}, async () => { await import(${url}) })\n`
  })
  const path = join(folder, `${String(place).padStart(3, '0')}-${name}.test.mjs`)
  const limit = `setTimeout(() => process.exit(1), ${MAX_BATCH_MS}).unref()\n`
  const begin = `import { beginBatch } from ${JSON.stringify(join(root, 'apps/server/test/batch.ts'))}\nbeginBatch()\n`
  writeFileSync(path, `import { describe } from 'node:test'\n${begin}${limit}${suites.join('')}`)
  return path
}
