import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startKernel } from '#test/kernel.ts'
import { ProcessPool } from './process-pool.ts'

test('MEDIA-13: a process that cannot start is 503 with its own message, and the log has the reason', async (context) => {
  const pool = new ProcessPool<object, string>({
    url: new URL('./no-such-program.ts', import.meta.url),
    isResult: (value): value is string => typeof value === 'string',
  })
  const kernel = await startKernel((app) => {
    app.get('/look', { config: { access: 'public' } }, () => pool.run({}, 'sender'))
  })
  context.after(async () => {
    pool.close()
    await kernel.app.close()
  })
  const response = await kernel.fetch('/look')
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('x-error-code'), 'unavailable')
  assert.deepEqual(await response.json(), {
    error: 'files cannot be examined at the moment, try again later',
  })
  assert.ok(kernel.lines.some((line) => line.includes('ended before it could begin: crash, 1')))
})
