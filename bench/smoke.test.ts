import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MAX_MS = 60_000

for (const name of ['send', 'fan-out', 'idle-memory', 'cold-start', 'access-change', 'permission-checks']) {
  test(`the benchmark ${name} works, and everything that was sent arrives`, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, `${name}.ts`), '--smoke'],
      { encoding: 'utf8', timeout: MAX_MS },
    )
    assert.equal(status, 0, `${stdout}${stderr}`)
    assert.doesNotMatch(stdout, /NaN|Infinity/)
  })
}
