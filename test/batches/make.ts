// Prints the files for `node --test`, each of which is a process: batches of test files by folder, lanes of browser
// tests that share a stage, and single files that start other programs. Without options, they hold the tests of
// `bin/test`; with `--rest`, those that only `bin/check` runs; with `--changed main`, those affected by changes since
// a commit. With `--minutes 20`, files that have not started after this time are skipped. One process fewer saves 2 s of
// CPU: 1.3 s to load the server, and the rest to start it and to compile its hot code. Lanes save the 5 s that starting a
// program and its browser takes.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findChangedTests } from './changed.ts'
import { RUNS_AGAIN } from './failures.ts'
import { orderByCommit } from './order.ts'
import { listTier } from './tiers.ts'

/** Maximum files per batch of the server, which take 60 to 120 s. A larger batch would still run when all others are done. */
const MAX_FILES = 66
/** Maximum files per batch of slow tests, whose batches take 40 to 80 s. */
const MAX_SLOW_FILES = 6
/** Maximum files per batch or lane of a run whose time is limited. If the first file starts in time, all of them run. */
const MAX_LIMITED_FILES = 2
/** Maximum files per lane. A lane starts its stage once and runs its tests one after another. */
const MAX_LANE_FILES = 5
/**
 * Time limit of a test file, in milliseconds: several times the longest run. It shows which test waits forever. If
 * something keeps the process alive after that, the watchdog kills it.
 */
const MAX_FILE_MS = 900_000
/**
 * Batches to start early although their files are short. They start databases, read all sources, or visit every page.
 */
const LONG = [
  'server-postgres',
  'server-kernel-cluster',
  'server-files',
  'architecture',
  'e2e-accessibility',
  'e2e-accessibility-settings',
  'e2e-wrong-clock',
  'e2e-welcome',
]
/**
 * Batch of the server's tests that mock timers or the date. A server that other files had started would lose its own timers:
 * its job queue would wait forever, and so would its shutdown. After a test with a date in the
 * future, all further ids of the process are in the future, too, because ids never go back, and no client could resume.
 */
const MOCKED_TIMERS = 'server-mocked-timers'
/** Folders in which each file is its own process. */
const ALONE = /^(e2e|bench|chaos)\//

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'node_modules/.cache/test-batches')
const options = {
  changed: { type: 'string' },
  rest: { type: 'boolean' },
  minutes: { type: 'string' },
} as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const { values } = parseArgs({ options })
const until = values.minutes === undefined ? undefined : endOf(values.minutes)
const maxFiles = until !== undefined ? MAX_LIMITED_FILES : values.rest === true ? MAX_SLOW_FILES : MAX_FILES
const files = choose(values)
const ordered = until === undefined ? [] : orderByCommit(root, files)
const places = new Map(ordered.map((file, place) => [file, place]))
const compare = until === undefined ? compareSizes : comparePlaces
const batched = files.filter((path) => !ALONE.test(path))
const split = [...Map.groupBy(batched, featureOf)].flatMap(([feature, some]) => inBatches(feature, some))
const batches = mergeSmall(split).toSorted(compare)
const whole = files.filter((path) => ALONE.test(path) && !sharesStage(path)).map(asBatch)
const alone = [...inLanes(files.filter(sharesStage)), ...whole].toSorted(compare)
// Node starts the files in the order of their paths. Browser tests need all cores and server tests wait a lot, so
// mixing them slows down neither.
const begun = [...spread(batches), ...spread(alone)].toSorted((one, other) => one.at - other.at)
for (const [place, { batch }] of begun.entries()) process.stdout.write(`${write(batch, place)}\n`)

/** Returns the end of the time limit, in milliseconds since 1970. */
function endOf(minutes: string): number {
  if (!/^\d+$/.test(minutes)) throw new Error(`--minutes takes a whole number, not ${minutes}`)
  return Date.now() + Number(minutes) * 60_000
}

function choose({ changed, rest = false }: { changed?: string; rest?: boolean }): string[] {
  if (changed === undefined) return listTier(root, rest ? 'rest' : 'first')
  const found = findChangedTests(root, changed)
  return [...listTier(root, 'first'), ...listTier(root, 'rest')].filter((path) => found.has(path))
}

/** Returns true if the file opens the stage with the usual settings, so that the files of a lane can share the stage. */
function sharesStage(path: string): boolean {
  return path.startsWith('e2e/') && readFileSync(join(root, path), 'utf8').includes('Stage.open()')
}

/** Returns `server-messages`, `server-kernel-http`, `web` or `sdk`. The files of a feature load the same modules. */
function featureOf(path: string): string {
  const [, name = '', ...below] = dirname(path).split('/')
  if (name === 'server' && mocksTimers(path)) return MOCKED_TIMERS
  return name === 'server' ? [name, ...below.slice(1)].join('-') : name
}

/** Returns true for a file that sets the timers or the date of its whole process. */
function mocksTimers(path: string): boolean {
  return readFileSync(join(root, path), 'utf8').includes('timers.enable(')
}

interface Batch {
  feature: string
  name: string
  files: readonly string[]
}

function inBatches(feature: string, files: readonly string[]): Batch[] {
  const count = feature.startsWith('server') ? Math.ceil(files.length / maxFiles) : 1
  return Array.from({ length: count }, (_, index) => ({
    feature,
    name: `${feature}-${index + 1}`,
    files: files.filter((_file, place) => place % count === index),
  }))
}

/** Merges small batches of the server, because loading the server takes most of their time. */
function mergeSmall(split: readonly Batch[]): Batch[] {
  const merged: Batch[] = []
  for (const batch of split) {
    const place = merged.findIndex((other) => fit(other, batch))
    const other = merged[place]
    if (other === undefined) merged.push(batch)
    else merged[place] = { ...other, files: [...other.files, ...batch.files] }
  }
  return merged
}

function fit(one: Batch, other: Batch): boolean {
  return mayMerge(one) && mayMerge(other) && one.files.length + other.files.length <= maxFiles
}

function inLanes(paths: readonly string[]): Batch[] {
  const most = Math.min(MAX_LANE_FILES, maxFiles)
  const sorted = paths.map(asBatch).toSorted(compare)
  return Array.from({ length: Math.ceil(paths.length / most) }, (_, index) => ({
    feature: 'e2e-lane',
    name: `e2e-lane-${index + 1}`,
    files: sorted.slice(index * most, (index + 1) * most).flatMap((batch) => batch.files),
  }))
}

function mayMerge({ feature }: Batch): boolean {
  return feature.startsWith('server') && feature !== MOCKED_TIMERS && !isLong(feature)
}

function asBatch(path: string): Batch {
  const name = `${path.split('/')[0]}-${basename(path, '.test.ts')}`
  return { feature: name, name, files: [path] }
}

/** Spreads a list's batches evenly over positions from 0 to 1, in list order, so that two lists can be interleaved. */
function spread(list: readonly Batch[]): { batch: Batch; at: number }[] {
  return list.map((batch, index) => ({ batch, at: (index + 0.5) / list.length }))
}

function compareSizes(one: Batch, other: Batch): number {
  const [size, otherSize] = [sizeOf(one), sizeOf(other)]
  return size === otherSize ? 0 : otherSize - size
}

/** Compares batches by their first file in the order of `orderByCommit`. */
function comparePlaces(one: Batch, other: Batch): number {
  return placeOf(one) - placeOf(other)
}

function placeOf({ files }: Batch): number {
  return Math.min(...files.map((file) => places.get(file) ?? 0))
}

/** Returns the size of the files, from which the run time is estimated. */
function sizeOf({ feature, files }: Batch): number {
  if (isLong(feature)) return Infinity
  return files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
}

/** Returns true for a batch of LONG; for a batch of the server, only with `--rest`, which includes the slow tests. */
function isLong(feature: string): boolean {
  return LONG.includes(feature) && (values.rest === true || !feature.startsWith('server'))
}

/** Returns the code that skips the files of a batch that starts too late. A failed batch that runs again skips none. */
function skipAfter(until: number): string {
  return `process.env.${RUNS_AGAIN} === undefined && Date.now() > ${until} && 'no time was left'`
}

/**
 * Writes a file with one suite per test file, so that hooks and the time limit apply to their own file. `require` loads
 * each file synchronously: after an `await`, the light hook could not assign the tests to their suite.
 */
function write({ name, files }: Batch, place: number): string {
  const begin = [
    `import { createRequire } from 'node:module'`,
    `import { describe } from 'node:test'`,
    `import { beginBatch } from ${JSON.stringify(join(root, 'apps/server/test/batch.ts'))}`,
    `import { watchBatch } from ${JSON.stringify(join(root, 'test/batches/watched.ts'))}`,
    'const require = createRequire(import.meta.url)',
    'watchBatch()',
    'beginBatch()',
    `const skip = ${until === undefined ? 'false' : skipAfter(until)}`,
  ]
  const suites = files.map((file) => {
    const path = JSON.stringify(join(root, file))
    return `describe(${JSON.stringify(file)}, { timeout: ${MAX_FILE_MS}, skip }, () => { require(${path}) })`
  })
  const path = join(folder, `${String(place).padStart(3, '0')}-${name}.test.mjs`)
  writeFileSync(path, [...begin, ...suites, ''].join('\n'))
  return path
}
