// Runs the files that failed in the last run again, each alone. Exits with 1 if a test fails twice. Prints and saves the
// failures of the files that pass: a flaky test is a defect of the test or of the product.
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Failure, FLAKY, RUNS_AGAIN, readFailures } from './failures.ts'

/** Maximum number of files to run again: more failures are no coincidence. */
const MAX_FILES = 12
/** Maximum repeated runs of a file. Its process may crash repeatedly, because the WebRTC library of test peers sometimes does. */
const MAX_RUNS = 3
/** Error that Node reports for a file whose process ended without a failed test. */
const CRASHED = 'test failed'

const root = resolve(import.meta.dirname, '../..')
const byFile = Map.groupBy(readFailures(), ({ file }) => file)
if (byFile.size === 0 || byFile.size > MAX_FILES) process.exit(1)
const areFlaky = [...byFile].map(([file, failures]) => isFlaky(file, failures))
process.exitCode = areFlaky.every(Boolean) ? 0 : 1

/** Returns true if the file passes before one of its tests fails a second time. */
function isFlaky(file: string, failures: readonly Failure[], runs = MAX_RUNS): boolean {
  if (runs === 0) return false
  if (passesAlone(file)) {
    for (const failure of failures) report(failure)
    return true
  }
  const now = readFailures()
  const isRepeated = now.some(
    ({ name, error }) => error !== CRASHED && failures.some((failure) => failure.name === name),
  )
  return now.length > 0 && !isRepeated && isFlaky(file, [...failures, ...now], runs - 1)
}

function passesAlone(file: string): boolean {
  process.stdout.write(`\nonce more, alone: ${relative(root, file)}\n`)
  const env = { ...process.env, [RUNS_AGAIN]: 'yes' }
  return spawnSync(resolve(root, 'bin/test'), [file], { env, stdio: 'inherit' }).status === 0
}

function report(failure: Failure): void {
  process.stdout.write(`flaky: ${relative(root, failure.file)}: ${failure.name}: ${failure.error}\n`)
  appendFileSync(FLAKY, `${JSON.stringify({ ...failure, at: new Date().toISOString() })}\n`)
}
