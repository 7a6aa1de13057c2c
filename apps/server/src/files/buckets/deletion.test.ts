import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Message } from '@foyer/protocol/messages'
import { uploadFile } from '@foyer/sdk/uploads'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { passTime } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import { type FakeS3, startFakeS3 } from '#test/object-storage/fake-s3.ts'
import { bucketBody } from '#test/scenes/buckets.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { discardFilesOf } from './actions/discard.ts'
import { bucketJobs } from './jobs.ts'

let server: TestServer
let s3: FakeS3
let owner: Person
let member: Person
let space: TestSpace
let bucket: StorageBucket
let path: string

before(async () => {
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  s3 = await startFakeS3()
  s3.allowedOrigin = server.url
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
})
after(async () => {
  await server.close()
  await s3.close()
})
beforeEach(async () => {
  space = await makeSpace(owner, [member])
  bucket = await owner.client.buckets.create(space.id, bucketBody(s3))
  path = `/api/spaces/${space.id}/buckets/${bucket.id}`
})

const published = () => listJournal(server, topicOf.space(space.id))
const send = (...files: File[]) =>
  member.client.messages.createWithFiles(space.general, { content: 'files' }, files)

const MAX_WAIT_MS = 30_000

/** Waits until the jobs have deleted everything that shows the bucket's files. */
async function discarded(): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (Date.now() < deadline) {
    const [left] = await server.deps.database.query(sql`
      select id from attachments
      where tenant_id = ${space.id} and bucket_id = ${bucket.id} and state in ('reserved', 'stored', 'live') limit 1`)
    if (left === undefined) return
    await delay(20)
  }
  assert.fail('files of the bucket are still shown')
}

test('BUCKET-10: an empty bucket is deleted for good', async () => {
  assert.equal((await owner.call('DELETE', path)).status, 204)
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
  for (const [method, url] of [
    ['DELETE', path],
    ['PATCH', path],
    ['POST', `${path}/activate`],
  ] as const)
    assert.equal((await owner.call(method, url)).code, 'unknown_bucket')
  await passTime(server)
  const rows = await server.deps.database.query(sql`select id from storage_buckets where id = ${bucket.id}`)
  assert.deepEqual(rows, [])
})

test('BUCKET-10: a bucket with files can be deleted, and a client can ask how many files are in use', async () => {
  const usage = () => owner.client.buckets.usage(space.id, bucket.id)
  assert.deepEqual(await usage(), { file_count: 0 })
  await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  await send(note('one'), note('two'))
  await uploadFile(member.client, space.general, note('not sent yet'))
  assert.deepEqual(await usage(), { file_count: 3 })
  assert.equal(await codeOf(member.call('GET', `${path}/usage`)), '403 missing_permission')
  assert.equal(await codeOf(owner.call('DELETE', path)), 204)
  assert.deepEqual(await owner.client.buckets.list(space.id), [])
  assert.deepEqual(await owner.client.emojis.list(space.id), [])
  await discarded()
})

test('BUCKET-10: emojis, stickers, icon and banner are deleted with their files, each with the usual event', async () => {
  const emoji = await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  const sticker = await owner.client.stickers.create(space.id, { name: 'tea', image: await png() })
  await owner.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', await png()], ['banner', await png()]))
  const { icon, banner } = await owner.client.spaces.get(space.id)
  const kept = await owner.client.buckets.createIncluded(space.id)
  await owner.client.buckets.activate(space.id, kept.id)
  const other = await owner.client.emojis.create(space.id, { name: 'cup', image: await png() })
  const before = await published()
  assert.equal(await codeOf(owner.call('DELETE', path)), 204)

  const after = await owner.client.spaces.get(space.id)
  assert.deepEqual([after.icon, after.banner], [null, null])
  assert.deepEqual(await owner.client.emojis.list(space.id), [other])
  assert.deepEqual(await owner.client.stickers.list(space.id), [])
  const events = (await published()).slice(before.length)
  assert.deepEqual(
    new Map(events.map(({ name, data }) => [name, data])),
    new Map<string, unknown>([
      ['SPACE_EMOJI_DELETE', { space_id: space.id, emoji_id: emoji.id }],
      ['SPACE_STICKER_DELETE', { space_id: space.id, sticker_id: sticker.id }],
      ['SPACE_UPDATE', after],
      ['SPACE_BUCKET_DELETE', { space_id: space.id, bucket_id: bucket.id }],
    ]),
  )
  assert.equal(events.length, 4)
  for (const id of [emoji.attachment_id, sticker.attachment_id, icon, banner])
    assert.equal((await server.fetch(`/attachments/${id}`)).status, 404)
  assert.equal(
    (await server.fetch(`/attachments/${other.attachment_id}`, { redirect: 'manual' })).status,
    307,
  )
})

test('BUCKET-10: message files are deleted in the background, and each message is sent as it is then', async () => {
  const client = await connect(server, member)
  const messages: Message[] = []
  for (const text of ['one', 'two']) messages.push(await send(note(text), note(`${text} more`)))
  const without = await owner.client.messages.create(space.general, { content: 'no file' })
  const topic = topicOf.room(space.id, space.general)
  const before = await listJournal(server, topic)
  await owner.client.buckets.delete(space.id, bucket.id)
  await discarded()

  const listed = await member.client.messages.list(space.general)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [without.id, ...messages.map(({ id }) => id).toReversed()],
  )
  for (const message of messages) {
    const now = await member.client.messages.get(space.general, message.id)
    const files = message.attachments.map(({ url: _url, ...file }, index) => {
      return { ...file, deleted_at: now.attachments[index]?.deleted_at }
    })
    assert.deepEqual(now, { ...message, attachments: files })
    assert.ok(now.attachments.every(({ deleted_at }) => deleted_at !== null))
    for (const { url = '' } of message.attachments)
      assert.equal((await fetch(member.client.addressOf(url))).status, 404)
  }
  const events = (await listJournal(server, topic)).slice(before.length)
  const updates = new Map(events.map(({ name, data }) => [Object(data).id, { name, data }]))
  assert.deepEqual([events.length, updates.size], [2, 2])
  for (const { id } of messages) {
    const data = await member.client.messages.get(space.general, id)
    assert.deepEqual(updates.get(id), { name: 'MESSAGE_UPDATE', data })
  }
  await client.close()
})

test('BUCKET-10: files of more than one batch are deleted', async () => {
  for (let sent = 0; sent < 5; sent += 1) await send(note('a'), note('b'), note('c'))
  await server.deps.database.transaction((transaction) =>
    transaction.query(sql`
      update storage_buckets set deleted_at = now(), active = false where id = ${bucket.id}`),
  )
  const batch = (limit: number) =>
    server.deps.database.transaction((transaction) =>
      discardFilesOf({ ...server.deps, transaction }, { tenant_id: space.id, id: bucket.id }, limit),
    )
  const runs = [await batch(4), await batch(4), await batch(4), await batch(4), await batch(4)]
  assert.deepEqual(runs, [true, true, true, false, false])
  const messages = await member.client.messages.list(space.general)
  assert.ok(messages.every(({ attachments }) => attachments.every(({ deleted_at }) => deleted_at !== null)))
})

test('BUCKET-10: work that failed for good is retried every hour', async () => {
  await send(note('a'))
  // Looks like a deleted bucket whose job failed for good.
  await server.deps.database.execute(sql`
    update storage_buckets set deleted_at = now(), active = false where id = ${bucket.id}`)
  await bucketJobs(server.deps).handlers.discard_buckets?.({})
  await discarded()
})

test('BUCKET-10: unclaimed uploads end with the bucket', async () => {
  const id = await uploadFile(member.client, space.general, note('uploaded'))
  assert.equal(await codeOf(owner.call('DELETE', path)), 204)
  await discarded()
  const sent = member.call('POST', `/api/rooms/${space.general}/messages`, { attachment_ids: [id] })
  assert.equal(await codeOf(sent), '404 unknown_attachment')
})

test('BUCKET-10: later uploads go to another storage', async () => {
  await send(note('to the bucket'))
  const count = s3.objects.size
  await owner.client.buckets.delete(space.id, bucket.id)
  await send(note("to the server's own"))
  assert.ok(s3.objects.size <= count)
  assert.equal(
    await codeOf(
      owner.call('POST', `/api/spaces/${space.id}/emojis`, formOf(['name', 'tea'], ['image', await png()])),
    ),
    '422 no_bucket',
  )
})

test('BUCKET-10: objects are deleted from the storage, however long that takes, and then the bucket', async () => {
  const key = `${space.id}/`
  await send(note('one'), note('two'))
  await owner.client.emojis.create(space.id, { name: 'tea', image: await png() })
  const keys = () => [...s3.objects.keys()].filter((name) => name.startsWith(key))
  assert.equal(keys().length, 3)
  s3.fail({ status: 503, code: 'SlowDown' })
  await owner.client.buckets.delete(space.id, bucket.id)
  await discarded()
  const rowsOf = () =>
    server.deps.database.query<{ used_bytes: number; active: boolean }>(sql`
      select used_bytes, active from storage_buckets where id = ${bucket.id}`)
  assert.deepEqual(await rowsOf(), [{ used_bytes: 0, active: false }])
  assert.equal(keys().length, 3)
  s3.heal()
  await passTime(server)
  assert.deepEqual(keys(), [])
  // The second check, a day later.
  await server.deps.database.execute(
    sql`update attachments set sweep_at = now() where tenant_id = ${space.id}`,
  )
  await passTime(server)
  assert.deepEqual(await rowsOf(), [])
})
