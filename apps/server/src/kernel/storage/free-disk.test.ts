import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FreeDisk } from './free-disk.ts'

test('STORE-22: the folder is created at the start, and not checked again each time', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'foyer-disk-'))
  const folder = join(parent, 'data')
  const disk = new FreeDisk(folder, 1)
  assert.ok(existsSync(folder))
  await disk.check(1)
  await assert.rejects(disk.check(Number.MAX_SAFE_INTEGER), { code: 'disk_full' })
  await rm(folder, { recursive: true })
  await assert.rejects(disk.check(1), { code: 'ENOENT' })
  await rm(parent, { recursive: true })
})
