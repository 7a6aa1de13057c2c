import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { SERVICES } from '#src/kernel/services.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { startChildServer } from '#test/processes/child-server.ts'
import { endRestoring, isThere } from '#test/scenes/deleted-spaces.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'
import { listTablesWith } from '#test/table-scan.ts'
import { until } from '#test/until.ts'
import { erasureJobs } from './jobs.ts'
import { purgeSpace } from './purge.ts'

const MESSAGES = 40_000

let server: SharedServer

before(async () => {
  const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', SECRET_KEY: 'the same for both of the servers' })
  // The other process alone works on jobs.
  server = await startSharedServer({ ...config, services: ['api', 'gateway'] })
})
after(() => server.close())

test('ERASE-3: a purge whose process was killed is continued', async () => {
  const { database } = server.deps
  const owner = await createPerson(server, 'owner')
  const space = await makeSpace(owner)
  await database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${space.general}, gen_random_uuid(), n, ${owner.id}, 'hi', now()
    from generate_series(1, ${MESSAGES}::integer) n`)
  const count = async () => {
    const [row] = await database.execute<{ count: number }>(sql`
      select count(*) from messages where tenant_id = ${space.id}`)
    return row?.count ?? 0
  }
  await owner.client.spaces.delete(space.id)
  await endRestoring(server, space.id)
  const { config, connection } = server.shared
  const child = await startChildServer({ config: { ...config, services: [...SERVICES] }, connection })
  await erasureJobs(server.deps).handlers.purge_spaces?.({})
  await until(async () => (await count()) < MESSAGES, 'the purge has begun')
  await child.kill()
  assert.ok((await count()) > 0)
  assert.equal(await isThere(server, space.id), true)
  while (await purgeSpace(database, space.id)) {}
  await database.execute(sql`delete from events`)
  assert.deepEqual(await listTablesWith(server, [space.id, space.general]), [])
})
