import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { StorageStatus } from '@foyer/protocol/attachments'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { connect } from '#test/gateway-client.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'

const bytes = Buffer.from('the bytes of a picture')

let server: TestServer
let people: RankedPeople
let space: TestSpace
let bucketId: string

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => checkFilesAtRest(server).finally(server.close))
beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.ManageSpaceAttachments)
  bucketId = await addStorage(server, space.id, { maxBytes: 10_000, uploadLimitBytes: 5000 })
})

interface Placed {
  imageId: string
  attachmentId: string
}

/** Inserts an emoji or sticker of a space with its image. */
async function placeImage(kind: 'emoji' | 'sticker', name: string, spaceId = space.id): Promise<Placed> {
  const own = spaceId === space.id ? { bucketId } : {}
  const { id: attachmentId } = await placeFile(server, { tenantId: spaceId, purpose: kind, bytes, ...own })
  const imageId = newId()
  await server.deps.database.execute(sql`
    insert into space_images (space_id, kind, id, name, attachment_id, creator_id, animated)
    values (${spaceId}, ${kind}, ${imageId}, ${name}, ${attachmentId}, ${people.owner.id}, false)`)
  return { imageId, attachmentId }
}

/** Inserts the space's files other than images of emojis and stickers. */
async function placeOthers(): Promise<string[]> {
  const given = { tenantId: space.id, bucketId, bytes }
  const files = [
    await placeFile(server, { ...given, purpose: 'message', roomId: space.general, messageId: newId() }),
    await placeFile(server, { ...given, purpose: 'icon' }),
    await placeFile(server, { ...given, purpose: 'banner', bucketId: space.id }),
  ]
  return files.map(({ id }) => id)
}

const paths = {
  list: () => `/api/spaces/${space.id}/attachments`,
  storage: () => `/api/spaces/${space.id}/attachments/storage`,
  one: (id: string) => `/api/spaces/${space.id}/attachments/${id}`,
}

async function codeOf(person: Person, method: string, path: string) {
  const { status, code } = await person.call(method, path)
  return code === null ? status : `${status} ${code}`
}

async function eventNames(): Promise<string[]> {
  const journal = await listJournal(server, topicOf.space(space.id))
  return journal.map(({ name }) => name).filter((name) => /EMOJI|STICKER/.test(name))
}

async function countImages(spaceId = space.id): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(
    sql`select count(*) from space_images where space_id = ${spaceId}`,
  )
  return row?.count ?? 0
}

test('FILE-10: the list has the pictures of emojis and stickers, oldest first, without URLs', async () => {
  const placed = [await placeImage('emoji', 'tea'), await placeImage('sticker', 'tea')]
  await placeOthers()
  await placeFile(server, { tenantId: space.id, bucketId, purpose: 'emoji', state: 'stored', bytes })
  const list = await people.actor.client.attachments.listOfSpace(space.id)
  assert.deepEqual(
    list.map(({ id }) => id),
    placed.map(({ attachmentId }) => attachmentId),
  )
  const { created_at, ...first } = list[0] ?? { created_at: '' }
  assert.match(created_at, /^\d{4}-.+Z$/)
  assert.deepEqual(first, {
    id: placed[0]?.attachmentId,
    message_id: null,
    filename: 'picture.png',
    description: null,
    content_type: 'image/png',
    size_bytes: bytes.length,
    width: null,
    height: null,
    deleted_at: null,
  })
})

test('FILE-10: usage counts all files of the space wherever they are, and has the limit', async () => {
  const status = (): Promise<StorageStatus> => people.actor.client.attachments.storageOf(space.id)
  const limits = { max_bytes: 10_000, upload_limit_bytes: 5000 }
  assert.deepEqual(await status(), { used_bytes: 0, ...limits })
  await placeImage('emoji', 'tea')
  await placeOthers()
  await placeFile(server, { tenantId: space.id, bucketId, state: 'deleted', bytes })
  const used_bytes = 4 * bytes.length
  const elsewhere = used_bytes - (await usedIn(bucketId))
  assert.ok(elsewhere > 0)
  assert.deepEqual(await status(), { used_bytes, ...limits, max_bytes: limits.max_bytes + elsewhere })
  await server.deps.database.execute(sql`update storage_buckets set active = false where id = ${bucketId}`)
  const { maxBytes, uploadLimitBytes } = server.deps.ownLimits
  const inOwn = await usedIn(space.id)
  const own = { max_bytes: (maxBytes ?? 0) + used_bytes - inOwn, upload_limit_bytes: uploadLimitBytes }
  assert.deepEqual(await status(), { used_bytes, ...own })
})

async function usedIn(id: string): Promise<number> {
  const [row] = await server.deps.database.query<{ used_bytes: number }>(sql`
    select used_bytes from storage_buckets where tenant_id = ${space.id} and id = ${id}`)
  return row?.used_bytes ?? 0
}

test('FILE-10: both require ManageSpaceAttachments', async () => {
  const { owner, actor, equal, bot, above, below, outsider } = people
  for (const path of [paths.list(), paths.storage()]) {
    for (const person of [owner, actor, equal, bot]) assert.equal(await codeOf(person, 'GET', path), 200)
    for (const person of [above, below])
      assert.equal(await codeOf(person, 'GET', path), '403 missing_permission')
    assert.equal(await codeOf(outsider, 'GET', path), '403 not_a_member')
  }
})

test('FILE-11: deleting one deletes the emoji made from it, notifies the space, and frees its storage', async () => {
  const emoji = await placeImage('emoji', 'tea')
  const sticker = await placeImage('sticker', 'tea')
  const listener = await connect(server, people.below)
  await people.actor.client.attachments.deleteOfSpace(space.id, emoji.attachmentId)
  const { d } = await listener.findEvent('SPACE_EMOJI_DELETE')
  assert.deepEqual(d, { space_id: space.id, emoji_id: emoji.imageId })
  listener.close()
  assert.deepEqual(await eventNames(), ['SPACE_EMOJI_DELETE'])
  assert.deepEqual(await listHoldings(server, space.id), {
    ids: [sticker.attachmentId],
    usedBytes: bytes.length,
  })
  assert.equal((await server.fetch(`/attachments/${emoji.attachmentId}`)).status, 404)
  assert.equal(await countImages(), 1)
  await people.owner.client.attachments.deleteOfSpace(space.id, sticker.attachmentId)
  assert.deepEqual(await eventNames(), ['SPACE_EMOJI_DELETE', 'SPACE_STICKER_DELETE'])
  await checkFiles(server)
})

test('FILE-11: deleting all deletes every emoji and sticker, each with its event, and leaves other files', async () => {
  for (const kind of ['emoji', 'sticker'] as const)
    for (const name of ['one', 'two', 'three']) await placeImage(kind, name)
  const others = await placeOthers()
  await people.equal.client.attachments.deleteAllOfSpace(space.id)
  assert.deepEqual((await eventNames()).toSorted(), [
    ...Array(3).fill('SPACE_EMOJI_DELETE'),
    ...Array(3).fill('SPACE_STICKER_DELETE'),
  ])
  assert.deepEqual(await people.actor.client.attachments.listOfSpace(space.id), [])
  assert.deepEqual(await listHoldings(server, space.id), { ids: others, usedBytes: 3 * bytes.length })
  await people.equal.client.attachments.deleteAllOfSpace(space.id)
  assert.equal((await eventNames()).length, 6)
  await checkFiles(server)
})

test('FILE-11: any file that is not a picture of this space’s emojis or stickers is 404', async () => {
  const elsewhere = await makeRankedSpace(server, people, Permission.ManageSpaceAttachments)
  const foreign = await placeImage('emoji', 'tea', elsewhere.id)
  const emoji = await placeImage('emoji', 'tea')
  const others = await placeOthers()
  for (const id of [...others, foreign.attachmentId, emoji.imageId, newId()])
    for (const person of [people.owner, people.actor])
      assert.equal(await codeOf(person, 'DELETE', paths.one(id)), '404 unknown_attachment')
  assert.equal(await codeOf(people.actor, 'DELETE', paths.one('no-id')), '400 invalid_request')
  assert.deepEqual([await countImages(), await countImages(elsewhere.id)], [1, 1])
  assert.deepEqual(await eventNames(), [])
})

test('FILE-11: both deletions require ManageSpaceAttachments, and are for people', async () => {
  const { above, below, outsider, bot } = people
  const { attachmentId } = await placeImage('emoji', 'tea')
  for (const path of [paths.one(attachmentId), paths.one(newId()), paths.list()]) {
    for (const person of [above, below])
      assert.equal(await codeOf(person, 'DELETE', path), '403 missing_permission')
    assert.equal(await codeOf(outsider, 'DELETE', path), '403 not_a_member')
    assert.equal(await codeOf(bot, 'DELETE', path), '403 bots_not_allowed')
  }
  assert.deepEqual([await countImages(), await eventNames()], [1, []])
})

test('FILE-11: one of two simultaneous deletions succeeds, and one event is published', async () => {
  const { attachmentId } = await placeImage('emoji', 'tea')
  const path = paths.one(attachmentId)
  const answers = await Promise.all(
    [people.owner, people.actor, people.equal].map((person) => codeOf(person, 'DELETE', path)),
  )
  assert.deepEqual(answers.toSorted(), [204, '404 unknown_attachment', '404 unknown_attachment'])
  assert.deepEqual(await eventNames(), ['SPACE_EMOJI_DELETE'])
  await checkFiles(server)
})
