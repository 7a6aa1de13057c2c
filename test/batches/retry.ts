// Runs the files that failed in the last run again, each alone. Exits with 1 if one fails again. Prints and saves the
// first failures of those that pass: a flaky test is a defect of the test or of the product.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Failure, FLAKY, readFailures } from './failures.ts'

/** Most files to run again. More failures are no coincidence. */
const MAX_FILES = 12
/** Runs of a file whose process crashed, which the WebRTC library of the test peers does now and then. */
const MAX_RUNS_AFTER_CRASH = 3
/** Error that Node reports for a file whose process ended without a failed test. */
const CRASHED = 'test failed'

const root = resolve(import.meta.dirname, '../..')
const byFile = Map.groupBy(readFailures(), ({ file }) => file)
if (byFile.size === 0 || byFile.size > MAX_FILES) process.exit(1)
const passed = [...byFile].filter(passesAlone).flatMap(([, failures]) => failures)
for (const failure of passed) report(failure)
process.exitCode = new Set(passed.map(({ file }) => file)).size === byFile.size ? 0 : 1

function passesAlone([file, failures]: [string, Failure[]]): boolean {
  const hasCrashed = failures.every(({ error }) => error === CRASHED)
  const runs = Array.from({ length: hasCrashed ? MAX_RUNS_AFTER_CRASH : 1 })
  return runs.some(() => runAlone(file))
}

function runAlone(file: string): boolean {
  process.stdout.write(`\nonce more, alone: ${relative(root, file)}\n`)
  return spawnSync(resolve(root, 'bin/test'), [file], { stdio: 'inherit' }).status === 0
}

function report(failure: Failure): void {
  process.stdout.write(`flaky: ${relative(root, failure.file)}: ${failure.name}: ${failure.error}\n`)
  appendFileSync(FLAKY, `${JSON.stringify({ ...failure, at: new Date().toISOString() })}\n`)
}
