// Reporter for `node --test` that saves the failures of the run for retry.ts.
import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { type Failure, forgetFailures, writeFailures } from './failures.ts'

export default async function* keepFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  forgetFailures()
  const failures: Failure[] = []
  for await (const event of events) if (event.type === 'test:fail') failures.push(...failureOf(event.data))
  writeFailures(failures)
  yield ''
}

type FailedTest = Extract<TestEvent, { type: 'test:fail' }>['data']

/** Returns nothing for a suite that failed only because one of its tests failed. */
function failureOf({ name, file = '', details, todo }: FailedTest): Failure[] {
  const error: Error & { failureType?: string } = details.error
  if (todo !== undefined || error.failureType === 'subtestsFailed') return []
  // A batch has a suite for each file, which fails as a whole if it takes too long.
  const whole = name.endsWith('.test.ts') ? resolve(name) : file
  return [{ file: whole, name, error: String(error.cause ?? error.message) }]
}
