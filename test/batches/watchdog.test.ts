import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import type { WatchLimits } from './watched.ts'

/** Time in which the watchdog has started. */
const STARTS_MS = 1000
const RUNS_MS = 4000
const MAX_MS = 20_000
/** Blocks the event loop in native code, and uses no CPU time. */
const BLOCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

/** Returns the end of a process that is watched and runs the code. */
async function watch(limits: WatchLimits, code: string): Promise<{ signal: string | null; message: string }> {
  const watched = JSON.stringify(new URL('./watched.ts', import.meta.url))
  const script = `import { watchBatch } from ${watched}; watchBatch(${JSON.stringify(limits)}); ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: MAX_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [message, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { signal, message }
}

suite('a batch', { concurrency: true }, () => {
  test('is killed when its event loop is blocked', async () => {
    const { signal, message } = await watch(
      { maxSilentChecks: 1, maxChecks: 60 },
      `setTimeout(() => { ${BLOCK} }, ${STARTS_MS})`,
    )
    assert.equal(signal, 'SIGKILL')
    assert.match(message, /no sign of life for 1 s/)
  })

  test('is killed when it takes too long', async () => {
    const { signal, message } = await watch(
      { maxSilentChecks: 60, maxChecks: 1 },
      'setInterval(() => {}, 1000)',
    )
    assert.equal(signal, 'SIGKILL')
    assert.match(message, /took longer than 1 s/)
  })

  test('is killed when it hangs while it exits', async () => {
    const code = `process.on('exit', () => { ${BLOCK} }); setTimeout(() => {}, ${STARTS_MS})`
    const { signal, message } = await watch({ maxSilentChecks: 1, maxChecks: 60 }, code)
    assert.equal(signal, 'SIGKILL')
    assert.match(message, /no sign of life for 1 s/)
  })

  test('is not killed while it gives signs of life, and ends when it has nothing left to do', async () => {
    const limits = { maxSilentChecks: 2, maxChecks: 60 }
    assert.deepEqual(await watch(limits, `setTimeout(() => {}, ${RUNS_MS})`), { signal: null, message: '' })
  })
})
