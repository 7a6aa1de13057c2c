import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../test-results')
/** Failures of the last run. */
const LAST_RUN = join(FOLDER, 'failures.jsonl')
/** Failures of tests that passed when run again, collected from all runs. */
export const FLAKY = join(FOLDER, 'flaky.jsonl')

/** Environment variable of runs that repeat failed files. Such a run skips nothing, however late it is. */
export const RUNS_AGAIN = 'FOYER_TEST_AGAIN'

/** A failed test. The file is a batch if a whole process failed. */
export interface Failure {
  readonly file: string
  readonly name: string
  readonly error: string
}

export function writeFailures(failures: readonly Failure[]): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(LAST_RUN, failures.map((failure) => `${JSON.stringify(failure)}\n`).join(''))
}

/** @throws Error if no run has finished: its failures are then unknown */
export function readFailures(): Failure[] {
  const lines = readFileSync(LAST_RUN, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): Failure => JSON.parse(line))
}

export function forgetFailures(): void {
  rmSync(LAST_RUN, { force: true })
}
