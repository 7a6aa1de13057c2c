import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { purgeSpace } from '#src/erasure/purge.ts'
import { SERVICES } from '#src/kernel/services.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { startChildServer } from '#test/processes/child-server.ts'
import { archiveOf } from '#test/scenes/hostile-archives.ts'
import { createPerson } from '#test/scenes/people.ts'
import { archivedMessage, archivedSpace, archivesOf, ROOM_ID } from '#test/scenes/space-archives.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'
import { listTablesWith } from '#test/table-scan.ts'
import { until } from '#test/until.ts'
import { messagesName } from './format.ts'
import { runImport } from './imports/running.ts'

/** Files of a thousand messages: enough for a kill in the middle. */
const FILES = 40

let server: SharedServer

before(async () => {
  const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', SECRET_KEY: 'the same for both of the servers' })
  // The other process alone works on jobs.
  server = await startSharedServer({ ...config, services: ['api', 'gateway'] })
})
after(() => server.close())

/** An archive with many messages, whose ids are in order. */
function largeArchive(): Promise<Buffer> {
  const lines = (file: number) =>
    Array.from({ length: 1000 }, (_, line) => {
      const id = `01900000-0000-7000-8000-${String(file * 1000 + line).padStart(12, '0')}`
      return `${JSON.stringify(archivedMessage({ id }))}\n`
    }).join('')
  const files = Array.from({ length: FILES }, (_, file): [string, string] => [
    messagesName(ROOM_ID, file + 1),
    lines(file),
  ])
  return archiveOf(archivedSpace(), [], files)
}

test('SPACE-IMPORT-4: an import whose process was killed is done anew, and nothing of the first run stays', async () => {
  const { database } = server.deps
  const ada = await createPerson(server, 'ada')
  const archive = new Blob([new Uint8Array(await largeArchive())])
  const { config, connection } = server.shared
  const child = await startChildServer({ config: { ...config, services: [...SERVICES] }, connection })
  const { id } = await archivesOf(ada).import(archive)
  const findBuilt = async () => {
    const [row] = await database.execute<{ built_id: string | null; messages: number }>(sql`
      select built_id, (select count(*) from messages where tenant_id = built_id) as messages
      from space_imports where id = ${id}`)
    return row
  }
  await until(async () => ((await findBuilt())?.messages ?? 0) > 0, 'messages are being written')
  await child.kill()
  const killed = await findBuilt()
  assert.ok((killed?.messages ?? 0) < FILES * 1000)
  assert.deepEqual(await ada.client.users.listSpaces(), [])
  await runImport(server.deps, id, new AbortController().signal)
  const { state, space_id, result } = await archivesOf(ada).getImport(id)
  assert.deepEqual([state, result?.messages], ['done', FILES * 1000])
  assert.notEqual(space_id, killed?.built_id)
  const [due] = await database.execute<{ due: boolean }>(sql`
    select restorable_until <= now() as due from spaces where id = ${killed?.built_id}`)
  assert.equal(due?.due, true)
  while (await purgeSpace(database, killed?.built_id ?? '')) {}
  await database.execute(sql`delete from events`)
  // The sweep of files deletes the closed storage once it is empty.
  assert.deepEqual(await listTablesWith(server, [killed?.built_id ?? '']), ['storage_buckets'])
  const open = await database.execute(sql`
    select from storage_buckets where tenant_id = ${killed?.built_id} and (active or deleted_at is null)`)
  assert.equal(open.length, 0)
})
