import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { access, mkdtemp, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { processNamespace } from '#src/kernel/process-namespace.ts'
import { makeSocketFolder, removeSocketFolder } from './socket.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('POSTGRES-5: a start removes empty socket folders of killed servers, and none of a container that may be starting', async (t) => {
  const own = await makeSocketFolder({})
  t.after(() => removeSocketFolder(own))
  const { pid } = spawnSync('true')
  const make = async (namespace: string, ageMs: number) => {
    const folder = await mkdtemp(join(dirname(own), `foyer-pg-${namespace}-${pid}-`))
    t.after(() => rm(folder, { recursive: true, force: true }))
    await utimes(folder, new Date(), new Date(Date.now() - ageMs))
    return folder
  }
  const killed = await make(processNamespace, 0)
  const starting = await make('1', 0)
  const old = await make('1', 2 * DAY_MS)

  t.after(await makeSocketFolder({}).then((other) => () => removeSocketFolder(other)))

  await assert.rejects(access(killed), { code: 'ENOENT' })
  await assert.rejects(access(old), { code: 'ENOENT' })
  await access(starting)
  await access(own)
})
