// Prints what `node --test` runs, each a process: batches of the files of one folder, lanes of browser tests that share a stage,
// and one file each where other programs are run. The tests of `bin/test`, those that only bin/check runs: `make.ts --rest`, or
// those that the changes since a commit concern: `make.ts --changed main`. Loading the server takes 0.6 s of CPU, which a hundred
// and fifty files would spend each, and a program with its browser 5 s.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findChangedTests } from './changed.ts'
import { listTier } from './tiers.ts'

/** Files of a batch of the server. Larger batches would go on alone when the others are done. */
const MAX_FILES = 8
/** Files of a lane: their stage is started once, and their tests run one after another. */
const MAX_LANE_FILES = 5
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
/** Of these, each file is a process. */
const ALONE = /^(e2e|bench|chaos)\//

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-batches')
const options = { changed: { type: 'string' }, rest: { type: 'boolean' } } as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const files = choose(parseArgs({ options }).values)
const batched = files.filter((path) => !ALONE.test(path))
const split = [...Map.groupBy(batched, featureOf)].flatMap(([feature, some]) => inBatches(feature, some))
const batches = mergeSmall(split).toSorted(compareSizes)
const whole = files.filter((path) => ALONE.test(path) && !sharesStage(path)).map(asBatch)
const alone = [...inLanes(files.filter(sharesStage)), ...whole].toSorted(compareSizes)
// Node begins them in the order of their paths. Browsers want all cores and servers wait much: side by side neither is slow.
const begun = [...spread(batches), ...spread(alone)].toSorted((one, other) => one.at - other.at)
for (const [place, { batch }] of begun.entries()) process.stdout.write(`${write(batch, place)}\n`)

function choose({ changed, rest = false }: { changed?: string; rest?: boolean }): string[] {
  if (changed === undefined) return listTier(root, rest ? 'rest' : 'first')
  const found = findChangedTests(root, changed)
  return [...listTier(root, 'first'), ...listTier(root, 'rest')].filter((path) => found.has(path))
}

/** Returns true if the file opens the stage with the usual settings, so that its lane can pass the stage on. */
function sharesStage(path: string): boolean {
  return path.startsWith('e2e/') && readFileSync(join(root, path), 'utf8').includes('Stage.open()')
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

/** Dealt by their sizes, so that the lanes end at about the same time. */
function inLanes(paths: readonly string[]): Batch[] {
  const count = Math.ceil(paths.length / MAX_LANE_FILES)
  const sorted = paths.map(asBatch).toSorted(compareSizes)
  return Array.from({ length: count }, (_, index) => ({
    feature: 'e2e-lane',
    name: `e2e-lane-${index + 1}`,
    files: sorted.filter((_file, place) => place % count === index).flatMap(({ files }) => files),
  }))
}

/** Not voice: the WebRTC library of its test peers crashes where folders are mixed that ran apart before. */
function mayMerge({ feature }: Batch): boolean {
  return feature.startsWith('server') && !feature.startsWith('server-voice') && !LONG.includes(feature)
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
