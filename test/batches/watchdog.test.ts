import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import type { WatchLimits } from './watched.ts'

/** Time in which the watchdog has started. */
const STARTS_MS = 1000
const RUNS_MS = 4000
const MAX_MS = 20_000

/** Returns the end of a process that is watched and runs the code. */
function watch(limits: WatchLimits, code: string): { signal: string | null; message: string } {
  const watched = JSON.stringify(new URL('./watched.ts', import.meta.url))
  const script = `import { watchBatch } from ${watched}; watchBatch(${JSON.stringify(limits)}); ${code}`
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: MAX_MS,
  })
  return { signal: ended.signal, message: ended.stderr }
}

suite('a batch', () => {
  test('is killed when its event loop is blocked', () => {
    const { signal, message } = watch(
      { maxSilentChecks: 1, maxChecks: 60 },
      `setTimeout(() => { for (;;); }, ${STARTS_MS})`,
    )
    assert.equal(signal, 'SIGKILL')
    assert.match(message, /event loop was blocked for 1 s/)
  })

  test('is killed when it takes too long', () => {
    const { signal, message } = watch({ maxSilentChecks: 60, maxChecks: 1 }, 'setInterval(() => {}, 1000)')
    assert.equal(signal, 'SIGKILL')
    assert.match(message, /took longer than 1 s/)
  })

  test('is not killed while it gives signs of life, and ends when it has nothing left to do', () => {
    const limits = { maxSilentChecks: 2, maxChecks: 60 }
    assert.deepEqual(watch(limits, `setTimeout(() => {}, ${RUNS_MS})`), { signal: null, message: '' })
  })
})
