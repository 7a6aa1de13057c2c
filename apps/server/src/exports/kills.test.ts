import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { newId } from '#src/kernel/ids.ts'
import { SERVICES } from '#src/kernel/services.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { startChildServer } from '#test/processes/child-server.ts'
import { awaitExport, type Owner, orderExport, signUpOwner } from '#test/scenes/exports.ts'
import { startOwnServer, type TestServer, testServerOf } from '#test/server.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'
import { makeSmallDisk, type SmallDisk, withoutSmallDisks } from '#test/small-disk.ts'
import { until } from '#test/until.ts'
import { makeExport } from './making.ts'

const MESSAGES = 60_000

const never = () => new AbortController().signal

async function write(
  server: Pick<TestServer, 'deps'>,
  { id }: Owner,
  count: number,
  content = 'hi',
): Promise<void> {
  const [tenantId, channelId] = [newId(), newId()]
  await server.deps.database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${tenantId}, ${channelId}, gen_random_uuid(), n, ${id}, ${content} || n, now()
    from generate_series(1, ${count}::integer) n`)
}

async function listFiles(server: Pick<TestServer, 'deps'>, id: string): Promise<string[]> {
  const rows = await server.deps.database.execute<{ state: string }>(
    sql`select state from attachments where tenant_id = ${id} and state in ('reserved', 'stored', 'live')`,
  )
  return rows.map(({ state }) => state)
}

suite('a process that makes exports', () => {
  let shared: SharedServer
  let server: TestServer

  before(async () => {
    const config = readConfig({
      PORT: '0',
      RATE_LIMITS: 'off',
      SECRET_KEY: 'the same for both of the servers',
    })
    // The other process alone works on jobs.
    shared = await startSharedServer({ ...config, services: ['api', 'gateway'] })
    server = testServerOf(shared, shared.shared.config.dataDir)
  })
  after(() => shared.close())

  test('EXPORT-4: an export whose process was killed is made anew, and nothing of the first run stays', async () => {
    const ada = await signUpOwner(server, 'ada')
    await write(server, ada, MESSAGES)
    const { config, connection } = shared.shared
    const child = await startChildServer({ config: { ...config, services: [...SERVICES] }, connection })
    const { id } = await orderExport(ada)
    await until(async () => (await ada.exports.list())[0]?.state === 'running', 'it has begun')
    await child.kill()
    assert.equal((await ada.exports.list())[0]?.state, 'running')
    await makeExport(server.deps, id, never())
    const ready = await awaitExport(ada)
    assert.equal(ready.state, 'ready')
    assert.deepEqual(await listFiles(server, id), ['live'])
  })

  test('EXPORT-4: a run that was taken for dead changes nothing of the next one', async () => {
    const ben = await signUpOwner(server, 'ben')
    await write(server, ben, 20_000)
    const { id } = await orderExport(ben)
    const first = makeExport(server.deps, id, never())
    await until(async () => (await ben.exports.list())[0]?.state === 'running', 'it has begun')
    const second = makeExport(server.deps, id, never())
    const [early, late] = await Promise.allSettled([first, second])
    assert.deepEqual([early.status, late.status], ['rejected', 'fulfilled'])
    assert.equal((await ben.exports.list())[0]?.state, 'ready')
    assert.deepEqual(await listFiles(server, id), ['live'])
  })

  test('EXPORT-4: a server that stops ends the run, and the next one makes it', async () => {
    const cora = await signUpOwner(server, 'cora')
    await write(server, cora, 20_000)
    const { id } = await orderExport(cora)
    const stopping = new AbortController()
    const run = makeExport(server.deps, id, stopping.signal)
    await until(async () => (await cora.exports.list())[0]?.state === 'running', 'it has begun')
    stopping.abort()
    await assert.rejects(run)
    const left = await readdir(server.deps.tempFolder.path).catch(() => [])
    assert.deepEqual(left, [])
    await makeExport(server.deps, id, never())
    assert.equal((await cora.exports.list())[0]?.state, 'ready')
  })

  test('EXPORT-4: after five runs without an end it has failed, and can be asked for again', async () => {
    const dora = await signUpOwner(server, 'dora')
    const { id } = await orderExport(dora)
    await server.deps.database.execute(sql`update exports set attempts = 5 where id = ${id}`)
    await makeExport(server.deps, id, never())
    const [failed] = await dora.exports.list()
    assert.deepEqual([failed?.state, failed?.failure], ['failed', 'unavailable'])
    assert.notEqual((await orderExport(dora)).id, id)
  })

  test('EXPORT-4: an account that is deleted while its export is made leaves no archive', async () => {
    const eva = await signUpOwner(server, 'eva')
    await write(server, eva, 20_000)
    const { id } = await orderExport(eva)
    const run = makeExport(server.deps, id, never())
    await until(async () => (await eva.exports.list())[0]?.state === 'running', 'it has begun')
    await eva.client.users.deleteMe({ password: 'correct horse battery' })
    await assert.rejects(run)
    assert.deepEqual(await listFiles(server, id), [])
  })
})

suite('a small disk', { skip: withoutSmallDisks }, () => {
  let disk: SmallDisk
  let server: TestServer

  before(async () => {
    disk = makeSmallDisk(4 * 1024 * 1024)
    server = await startOwnServer({ dataDir: disk.folder, minFreeDiskBytes: 0 })
  })
  after(async () => {
    await server.close()
    disk.remove()
  })

  test('EXPORT-4: an export that finds no room fails, says so, and leaves nothing', async () => {
    const ada = await signUpOwner(server, 'ada')
    // Random, so that it does not become smaller.
    await server.deps.database.execute(sql`
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
      select ${newId()}, ${newId()}, gen_random_uuid(), n, ${ada.id},
        (select string_agg(gen_random_uuid()::text, '') from generate_series(1, 40) where n > 0), now()
      from generate_series(1, 5000) n`)
    await orderExport(ada)
    const { state, failure, id } = await awaitExport(ada)
    assert.deepEqual([state, failure], ['failed', 'storage_full'])
    assert.deepEqual(await listFiles(server, id), [])
    const left = await readdir(join(disk.folder, 'tmp'), { recursive: true, withFileTypes: true })
    assert.deepEqual(
      left.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    )
  })
})
