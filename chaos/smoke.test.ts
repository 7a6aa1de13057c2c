import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutValkey } from '../apps/server/test/valkey/valkey.ts'

const MAX_MS = 300_000
/** A short run. The long one is for changes to the guarantees themselves. */
const SHORT = ['--clients=24', '--spaces=2', '--groups=3', '--sends=1200', '--minutes=0.3', '--seed=7']

test('no message is lost, duplicated, leaked or reordered while three processes are killed, stopped and cut off', {
  skip: withoutValkey,
}, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), ...SHORT],
    { encoding: 'utf8', timeout: MAX_MS },
  )
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /faults +[1-9]/)
  assert.match(stdout, /message_deliveries +[1-9]/)
  assert.match(stdout, /threads_and_posts +[1-9]/)
  assert.match(stdout, /acknowledged_in_threads +[1-9]/)
  assert.match(stdout, /copies_of_announcements +[1-9]/)
})
