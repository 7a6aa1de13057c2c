import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { restoreSettings } from '#test/backups/commands.ts'
import { type Ended, killCommand, runCommand } from '#test/backups/processes.ts'
import { connectionOf, urlOf } from '#test/database.ts'
import { startProgram } from '#test/processes/program.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'

/** Kills of each command. More of them are for a machine with time. */
const BACKUP_KILLS = Number(process.env.BACKUP_KILLS ?? 10)
const RESTORE_KILLS = Number(process.env.RESTORE_KILLS ?? 4)

let server: TestServer
let folder: string
let to: string
let settings: Record<string, string>

before(async () => {
  server = await startTestServer()
  const ada = await createPerson(server, 'ada')
  const space = await makeSpace(ada)
  await ada.client.messages.create(space.general, { content: 'kept' })
  for (let index = 0; index < 20; index += 1)
    await placeFile(server, { tenantId: newId(), bytes: Buffer.alloc(100_000, index) })
  folder = await mkdtemp(join(tmpdir(), 'foyer-kills-'))
  to = join(folder, 'repository')
  const connection = await connectionOf(server)
  const url = urlOf({ connection, drop: async () => undefined })
  settings = { ...restoreSettings(server.dataDir), DATABASE_URL: url }
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('BACKUP-8: a backup that is killed at any moment leaves the earlier ones whole, and counts whole or not at all', async () => {
  const run = () => runCommand('backup', settings, [`--to=${to}`])
  const durationMs = await timeOf(run)
  const others: string[] = []
  for (let round = 0; round < BACKUP_KILLS; round += 1) {
    const afterMs = (durationMs * (round + Math.random())) / BACKUP_KILLS
    await killCommand('backup', settings, { args: [`--to=${to}`, '--keep=3'], afterMs })
    const { code, output, errors } = await runCommand('backup', settings, [`--to=${to}`, '--list'])
    assert.equal(code, 0, `after ${afterMs} ms: ${errors}`)
    others.push(output)
    assert.ok(output.trim().split('\n').length >= 1)
  }
  for (const name of await readdir(join(to, 'snapshots'))) {
    const { code, errors } = await runCommand('backup', settings, [
      `--to=${to}`,
      '--verify',
      `--snapshot=${name}`,
    ])
    assert.equal(code, 0, errors)
  }
  await succeed(run())
})

test('RESTORE-7: a restore that is killed at any moment leaves a DATA_DIR that no server starts in, or the whole backup', async () => {
  await succeed(runCommand('backup', settings, [`--to=${to}`]))
  const dataDir = join(folder, 'data')
  const env = restoreSettings(dataDir)
  const durationMs = await timeOf(() => runCommand('restore', env, [`--from=${to}`]))
  for (let round = 0; round < RESTORE_KILLS; round += 1) {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    const afterMs = (durationMs * (round + Math.random())) / RESTORE_KILLS
    await killCommand('restore', env, { args: [`--from=${to}`], afterMs })
    const names: string[] = await readdir(dataDir).catch(() => [])
    const isStartable = names.includes('postgres') && !names.includes('restoring')
    if (!isStartable) await succeed(runCommand('restore', env, [`--from=${to}`]))
    const found = await readdir(dataDir)
    const whole = ['files', 'postgres', 'secret.key']
    assert.deepEqual(
      whole.filter((name) => !found.includes(name)),
      [],
      `after ${afterMs} ms`,
    )
    assert.equal(found.includes('restoring'), false)
    const files = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    assert.equal(files.filter((entry) => entry.isFile()).length, 20, `after ${afterMs} ms`)
  }
  const program = await startProgram({ DATA_DIR: dataDir })
  await program.stop()
})

async function timeOf(run: () => Promise<Ended>): Promise<number> {
  const start = performance.now()
  await succeed(run())
  return performance.now() - start
}

async function succeed(ended: Promise<Ended>): Promise<void> {
  const { code, errors } = await ended
  assert.equal(code, 0, errors)
}
