import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_SPACES } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { connect } from '#test/gateway-client.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import {
  archivedMessage,
  archivedSpace,
  archivesOf,
  entriesOf,
  withManifest,
  zipOf,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { endImportsBy } from './imports/endings.ts'
import { spaceImportJobs } from './imports/jobs.ts'
import { runImport } from './imports/running.ts'

const root = '/api/spaces/imports'

let server: TestServer
let ada: Person
let archive: Buffer
let count = 0

before(async () => {
  // Without a worker, so that tests run the jobs themselves.
  server = await startOwnServer({ spaceImportBytes: 1_000_000, services: ['api', 'gateway'] })
  archive = await zipOf(withManifest(entriesOf(archivedSpace(), [archivedMessage()])))
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

const upload = (person: Person, body: BodyInit = new Uint8Array(archive), type = 'application/zip') =>
  server.fetch(root, { method: 'POST', headers: { ...person.credentials, 'content-type': type }, body })
const codeOf = (answer: Response) => `${answer.status} ${answer.headers.get('x-error-code')}`
const run = (id: string) => runImport(server.deps, id, new AbortController().signal)

test('SPACE-IMPORT-6: outsiders are 401, bots 403, and other people get 404', async () => {
  const bot = await createBot(server, `bot${count}`)
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  for (const [method, path] of [
    ['POST', root],
    ['GET', root],
    ['GET', `${root}/${id}`],
  ] as const) {
    assert.equal((await callAsNobody(server, method, path)).status, 401)
    const answer = await bot.call(method, path)
    assert.deepEqual([answer.status, answer.code], [403, 'bots_not_allowed'])
  }
  const other = await createPerson(server, `other${count}`)
  const answer = await other.call('GET', `${root}/${id}`)
  assert.deepEqual([answer.status, answer.code], [404, 'unknown_import'])
  assert.equal((await ada.call('GET', `${root}/${newId()}`)).code, 'unknown_import')
  assert.equal((await ada.call('GET', `${root}/x`)).status, 400)
})

test('SPACE-IMPORT-6: a body must be an archive with its length, and within the limit of the server', async () => {
  assert.equal(codeOf(await upload(ada, '{}', 'application/json')), '400 invalid_request')
  assert.equal(codeOf(await upload(ada, '')), '400 invalid_request')
  assert.equal(codeOf(await upload(ada, new Uint8Array(1_000_001))), '413 upload_too_large')
  const stream = new Blob(['x']).stream()
  const headers = { ...ada.credentials, 'content-type': 'application/zip' }
  const endless: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: stream, duplex: 'half' }
  const answer = await server.fetch(root, endless)
  assert.equal(codeOf(answer), '400 invalid_request')
  const rows = await server.deps.database.execute(sql`select from space_imports where user_id = ${ada.id}`)
  assert.equal(rows.length, 0)
})

test('SPACE-IMPORT-6: one archive of a person is imported at a time', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => upload(ada)))
  const accepted = answers.filter(({ status }) => status === 202)
  assert.equal(accepted.length, 1)
  for (const answer of answers) if (answer.status !== 202) assert.equal(codeOf(answer), '409 import_underway')
  assert.equal(codeOf(await upload(ada)), '409 import_underway')
  const [row] = await server.deps.database.execute<{ id: string }>(sql`
    select id from space_imports where user_id = ${ada.id}`)
  const id = row?.id ?? ''
  await run(id)
  assert.equal((await archivesOf(ada).getImport(id)).state, 'done')
  assert.equal((await upload(ada)).status, 202)
})

test('SPACE-IMPORT-6: the limit of spaces counts at the upload, and again at the end', async () => {
  const fill = (spaces: number) =>
    server.deps.database.execute(sql`
      with made as (
        insert into spaces (id, name, owner_id) select gen_random_uuid(), 'x', ${ada.id}
        from generate_series(1, ${spaces}::integer) returning id)
      insert into members (space_id, user_id) select id, ${ada.id} from made`)
  await fill(MAX_SPACES - 1)
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await fill(1)
  await run(id)
  const { failure } = await archivesOf(ada).getImport(id)
  assert.equal(failure?.code, 'too_many_spaces')
  assert.equal(codeOf(await upload(ada)), '400 too_many_spaces')
})

test('SPACE-IMPORT-3: nobody sees the space before all of it is there, and its owner then hears of it', async () => {
  const gateway = await connect(server, ada)
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  assert.deepEqual(await ada.client.users.listSpaces(), [])
  await run(id)
  const { space_id } = await archivesOf(ada).getImport(id)
  const heard = await gateway.findEvent('SPACE_CREATE')
  assert.ok(heard.text.includes(space_id ?? '-'))
  gateway.close()
  const entries = await ada.client.auditLog.list(space_id ?? '', {})
  assert.deepEqual(
    entries.entries.map(({ action }) => action),
    ['space_create'],
  )
})

test('SPACE-IMPORT-4: a run that was taken for dead changes nothing of the next one', async () => {
  const messages = Array.from({ length: 3000 }, () => archivedMessage())
  const large = await zipOf(withManifest(entriesOf(archivedSpace(), messages.slice(0, 1000))))
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(large)]))
  await Promise.all([run(id), run(id)])
  const { state, space_id } = await archivesOf(ada).getImport(id)
  assert.equal(state, 'done')
  assert.deepEqual(
    (await ada.client.users.listSpaces()).map((space) => space.id),
    [space_id],
  )
})

test('SPACE-IMPORT-4: a server that stops gives up what it built, and the next run builds anew', async () => {
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await assert.rejects(runImport(server.deps, id, AbortSignal.abort()))
  assert.equal((await archivesOf(ada).getImport(id)).state, 'running')
  await run(id)
  assert.equal((await archivesOf(ada).getImport(id)).state, 'done')
  const made = await server.deps.database.execute<{ due: boolean }>(sql`
    select restorable_until <= now() as due from spaces where owner_id = ${ada.id} and deleted_at is not null`)
  assert.deepEqual(
    made.map(({ due }) => due),
    [true],
  )
})

test('SPACE-IMPORT-4: after five runs without an end the import has failed', async () => {
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await server.deps.database.execute(sql`update space_imports set attempts = 5 where id = ${id}`)
  await run(id)
  const { state, failure } = await archivesOf(ada).getImport(id)
  assert.deepEqual([state, failure?.code], ['failed', 'unavailable'])
})

test('SPACE-IMPORT-4: an account that is deleted takes its import with it', async () => {
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await server.deps.database.execute(sql`update users set deleted_at = now() where id = ${ada.id}`)
  await run(id)
  const rows = await server.deps.database.execute<{ state: string }>(sql`
    select state from space_imports where id = ${id}`)
  assert.deepEqual(rows, [{ state: 'failed' }])
})

test('SPACE-IMPORT-4: an account that is deleted just then never stands in the way of its import', async () => {
  const { database } = server.deps
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  const running = await database.transaction(async (transaction) => {
    await lockUsers(transaction, [ada.id])
    const imported = run(id).then(
      () => 'ended',
      (error: unknown) => String(error),
    )
    await until(async () => {
      const [row] = await database.execute<{ count: number }>(sql`
        select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return (row?.count ?? 0) > 0
    }, 'the import waits for the account')
    await endImportsBy(transaction, ada.id)
    return { imported }
  })
  assert.equal(await running.imported, 'ended')
  assert.deepEqual(await ada.client.users.listSpaces(), [])
  await assert.rejects(archivesOf(ada).getImport(id), { code: 'unknown_import' })
})

test('SPACE-IMPORT-7: people list their own imports, the newest first, with what became of them', async () => {
  const listImports = () => archivesOf(ada).listImports()
  const send = async (bytes: Buffer) => (await archivesOf(ada).import(new Blob([new Uint8Array(bytes)]))).id
  assert.deepEqual(await listImports(), [])
  const broken = await send(Buffer.from('hello'))
  await run(broken)
  const whole = await send(archive)
  await run(whole)
  const listed = await listImports()
  assert.deepEqual(
    listed.map(({ id, state, failure }) => [id, state, failure?.code]),
    [
      [whole, 'done', undefined],
      [broken, 'failed', 'invalid_archive'],
    ],
  )
  const other = await createPerson(server, `other${count}`)
  assert.deepEqual(await archivesOf(other).listImports(), [])
  await server.deps.database.execute(sql`update space_imports set expires_at = now() where id = ${whole}`)
  assert.equal((await listImports()).length, 1)
})

test('SPACE-IMPORT-7: an import is forgotten a day later, with its archive, and the space stays', async () => {
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(archive)]))
  await run(id)
  await server.deps.database.execute(sql`update space_imports set expires_at = now() where id = ${id}`)
  await spaceImportJobs(server.deps).handlers.sweep_space_imports?.({})
  await assert.rejects(archivesOf(ada).getImport(id), { code: 'unknown_import' })
  assert.equal((await ada.client.users.listSpaces()).length, 1)
  const kept = await server.deps.database.execute(sql`
    select from attachments where tenant_id = ${id} and state in ('reserved', 'stored', 'live')`)
  assert.equal(kept.length, 0)
})

test('SPACE-IMPORT-7: files and pictures that the archive does not have are left out, and counted', async () => {
  const file = {
    id: newId(),
    filename: 'a.txt',
    content_type: 'text/plain',
    size_bytes: 1,
    description: null,
  }
  const message = archivedMessage({ attachments: [file] })
  const space = archivedSpace({ emojis: [{ id: newId(), name: 'tea' }] })
  const bare = await zipOf(withManifest(entriesOf(space, [message])))
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(bare)]))
  await run(id)
  const { result } = await archivesOf(ada).getImport(id)
  assert.deepEqual([result?.left_out.files, result?.left_out.images], [1, 1])
})

test('SPACE-IMPORT-2: an archive cannot make an account say something', async () => {
  const eve = await createPerson(server, `eve${count}`)
  const message = archivedMessage({
    author: { id: eve.id, name: `eve${count}` },
    content: `<@${eve.id}> I resign`,
  })
  const forged = await zipOf(withManifest(entriesOf(archivedSpace(), [message])))
  const { id } = await archivesOf(ada).import(new Blob([new Uint8Array(forged)]))
  await run(id)
  const { space_id } = await archivesOf(ada).getImport(id)
  const [room] = await ada.client.rooms.list(space_id ?? '')
  const [shown] = await ada.client.messages.list(room?.id ?? '')
  assert.notEqual(shown?.author.id, eve.id)
  assert.deepEqual([shown?.author.is_bot, shown?.mentions], [true, []])
  const written = await server.deps.database.execute(sql`select from messages where author_id = ${eve.id}`)
  assert.equal(written.length, 0)
})
