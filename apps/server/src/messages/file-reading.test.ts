import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Attachment } from '@foyer/protocol/attachments'
import type { Message } from '@foyer/protocol/messages'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { namesOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { listMessages } from './pages.ts'

const DAY_MS = 86_400_000

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(async () => {
  try {
    await checkFilesAtRest(server)
  } finally {
    await server.close()
  }
})
beforeEach(async () => {
  space = await makeSpace(ada, [eve])
})

/** Sends a message with files of these names. */
const send = (...names: string[]): Promise<Message> =>
  eve.client.messages.createWithFiles(
    space.general,
    { content: names.join(' ') },
    names.map((name) => note(name, name)),
  )

async function textAt({ url }: Attachment): Promise<string | number> {
  const response = await server.fetch(`${url}&stream=1`)
  return response.ok ? response.text() : response.status
}

test('MESSAGE-17: each file has its own URL for at least 24 hours, which needs no account', async () => {
  const { attachments } = await send('one', 'two')
  assert.deepEqual(await Promise.all(attachments.map(textAt)), ['one', 'two'])
  for (const { id, url } of attachments) {
    const [, exp] = /^\/attachments\/[0-9a-f-]+\?sig=[\w-]+&exp=(\d+)$/.exec(url ?? '') ?? []
    assert.ok(url?.startsWith(`/attachments/${id}?`))
    assert.ok(Number(exp) * 1000 >= Date.now() + DAY_MS - 1000, `${exp}`)
  }
})

test('MESSAGE-17: a URL is signed again for each reading', async (t) => {
  const { id, attachments } = await send('one')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5 * DAY_MS })
  const now = Date.now()
  const place = { tenantId: space.id, channelId: space.general }
  const [message] = await listMessages(server.deps, place, { around: id }, eve.id)
  const [old, renewed] = [attachments[0]?.url, message?.attachments[0]?.url].map((url) =>
    Number(/exp=(\d+)/.exec(url ?? '')?.[1]),
  )
  assert.ok(old && renewed && old * 1000 < now && renewed * 1000 >= now + DAY_MS, `${old} ${renewed}`)
})

test('MESSAGE-17: every page shows the files of its messages in order', async () => {
  const sent = [await send('a', 'b'), await send('c'), await send('d', 'e', 'f')]
  const plain = await eve.client.messages.create(space.general, { content: 'plain' })
  const [first, second, third] = sent
  assert.ok(first && second && third)
  const list = ada.client.messages.list.bind(ada.client.messages)
  assert.deepEqual(await list(space.general), [plain, third, second, first])
  assert.deepEqual(await list(space.general, { before: plain.id, limit: 2 }), [third, second])
  assert.deepEqual(await list(space.general, { after: first.id, limit: 2 }), [third, second])
  assert.deepEqual(await list(space.general, { around: second.id, limit: 3 }), [third, second, first])
  assert.deepEqual(namesOf(third), ['d', 'e', 'f'])
})

test('MESSAGE-17: a page takes the same queries however many files it has, and two fewer without files', async () => {
  const place = { tenantId: space.id, channelId: space.general }
  const count = async () => {
    const queries: string[] = []
    const query: typeof server.deps.database.query = (asked: Query) => {
      queries.push(asked.text)
      return server.deps.database.query(asked)
    }
    await listMessages({ database: { query }, downloads: server.deps.downloads }, place, {}, eve.id)
    return queries.length
  }
  await eve.client.messages.create(space.general, { content: 'plain' })
  assert.equal(await count(), 4)
  await send('a')
  assert.equal(await count(), 5)
  for (const name of ['b', 'c', 'd']) await send(name, `${name}2`)
  assert.equal(await count(), 5)
})

test('MESSAGE-17: a file deleted separately stays in its message, without a URL', async () => {
  const sent = await send('kept', 'gone')
  const [kept, gone] = sent.attachments
  assert.ok(kept && gone)
  await server.deps.database.execute(sql`
    with file as (
      update attachments set state = 'deleted', deleted_at = now(), sweep_at = now()
      where id = ${gone.id} returning bucket_id, size_bytes
    )
    update storage_buckets set used_bytes = used_bytes - file.size_bytes
    from file where tenant_id = ${space.id} and id = file.bucket_id`)
  const shown = await ada.client.messages.get(space.general, sent.id)
  const [first, second] = shown.attachments
  assert.deepEqual(first, kept)
  const { url, ...rest } = gone
  assert.deepEqual(second, { ...rest, deleted_at: second?.deleted_at })
  assert.ok(second?.deleted_at && Date.parse(second.deleted_at) > Date.parse(sent.created_at) - 1000)
  assert.deepEqual(await ada.client.messages.list(space.general), [shown])
})

test('MESSAGE-18: editing keeps the files, publishes them, and may remove the text', async () => {
  const sent = await send('a', 'b')
  const edited = await eve.client.messages.update(space.general, sent.id, { content: '' })
  assert.deepEqual({ ...edited, edited_at: null }, { ...sent, content: '' })
  assert.deepEqual(await ada.client.messages.list(space.general), [edited])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(journal.at(-1), { name: 'MESSAGE_UPDATE', audience: 0, data: edited })
  const plain = await eve.client.messages.create(space.general, { content: 'plain' })
  await assert.rejects(eve.client.messages.update(space.general, plain.id, { content: '' }), {
    code: 'empty_message',
  })
})

for (const [what, person] of [
  ['its author', () => eve],
  ['a member with ManageMessages', () => ada],
] as const) {
  test(`MESSAGE-18: files are deleted with a message that ${what} deletes`, async () => {
    const [sent, kept] = [await send('a', 'b'), await send('c')]
    await person().client.messages.delete(space.general, sent.id)
    const ids = kept.attachments.map(({ id }) => id)
    assert.deepEqual(await listHoldings(server, space.id), { ids, usedBytes: 1 })
    assert.deepEqual(await Promise.all(sent.attachments.map(textAt)), [404, 404])
    assert.deepEqual(await Promise.all(kept.attachments.map(textAt)), ['c'])
  })
}

test('MESSAGE-18: a failed deletion keeps the files', async () => {
  const sent = await send('a')
  const other = await createPerson(server, 'mallory')
  await assert.rejects(other.client.messages.delete(space.general, sent.id), { code: 'not_a_member' })
  assert.deepEqual(await Promise.all(sent.attachments.map(textAt)), ['a'])
})

test('MESSAGE-18: files are deleted with the messages that a ban deletes', async (t) => {
  const [sent, kept] = [
    await send('a', 'b'),
    await ada.client.messages.createWithFiles(space.general, {}, [note('c', 'c')]),
  ]
  await ada.client.bans.create(space.id, eve.id, { delete_seconds: 3600 })
  await t.waitFor(async () => assert.deepEqual(await ada.client.messages.list(space.general), [kept]))
  const ids = kept.attachments.map(({ id }) => id)
  assert.deepEqual(await listHoldings(server, space.id), { ids, usedBytes: 1 })
  assert.deepEqual(await Promise.all(sent.attachments.map(textAt)), [404, 404])
})

test('MESSAGE-18: files are deleted with their room, a while later', async (t) => {
  await send('a', 'b')
  await ada.client.rooms.delete(space.id, space.general)
  await t.waitFor(async () =>
    assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 }),
  )
})
