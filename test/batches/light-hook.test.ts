import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const HOOK = join(import.meta.dirname, 'light-hook.ts')
const LATE_ERRORS = `
  import assert from 'node:assert/strict'
  import { executionAsyncId } from 'node:async_hooks'
  import { describe, test } from 'node:test'
  import { setTimeout as sleep } from 'node:timers/promises'
  describe('a file', () => {
    test('throws', async () => {
      setTimeout(() => { throw new Error('thrown late') }, 10)
      await sleep(50)
    })
    test('rejects', async () => {
      void sleep(10).then(() => { throw new Error('rejected late') })
      await sleep(50)
    })
    test('passes', () => sleep(50))
    test('does not follow promises', async () => {
      await sleep(1)
      const id = executionAsyncId()
      await null
      assert.equal(executionAsyncId(), id)
    })
  })`

test('an error that nobody waits for fails the test that caused it, and no other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-hook-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'late.test.mjs')
  await writeFile(file, LATE_ERRORS)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--import', HOOK, '--test-reporter=tap', file]
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(process.execPath, args, { env, timeout: 20_000 }, (_error, stdout) => resolve(stdout))
  const lines = (await promise).split('\n').map((line) => line.trim())
  assert.deepEqual(
    lines.filter((line) => /^(not )?ok /.test(line)),
    [
      'not ok 1 - throws',
      'not ok 2 - rejects',
      'ok 3 - passes',
      'ok 4 - does not follow promises',
      'not ok 1 - a file',
    ],
  )
})
