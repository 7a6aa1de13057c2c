import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import type { CreateUploadBody, Upload } from '@foyer/protocol/attachments'
import { MAX_PENDING_UPLOADS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { openSession } from '#test/gateway-client.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const MIB = 2 ** 20
const text = Buffer.from('written past the server')
const body: CreateUploadBody = { filename: 'notes.txt', size_bytes: text.length, content_type: 'text/plain' }

let server: TestServer
let owner: Person
let member: Person
let outsider: Person
let space: TestSpace

before(async () => {
  server = await startTestServer({ defaultStorageBytes: 100 * MIB, uploadLimitBytes: 50 * MIB })
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  outsider = await createPerson(server, 'outsider')
})
after(() => checkFilesAtRest(server).finally(server.close))
beforeEach(async () => {
  space = await makeSpace(owner, [member])
})

function create(person: Person, changes: Record<string, unknown> = {}, roomId = space.general) {
  return person.call('POST', `/api/rooms/${roomId}/attachments`, { ...body, ...changes })
}

async function codeOf(answer: Promise<{ status: number; code: string | null }>) {
  const { status, code } = await answer
  return code === null ? status : `${status} ${code}`
}

function put({ upload }: Upload, bytes = text) {
  return server.fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes })
}

test('FILE-8: users who may send in the room get an upload URL for an hour, and reserved space for a day', async () => {
  const upload = await member.client.attachments.create(space.general, body)
  assert.deepEqual(await listHoldings(server, space.id), {
    ids: [upload.attachment_id],
    usedBytes: text.length,
  })
  assert.equal((await put(upload)).status, 200)
  const kept = Date.parse(upload.expires_at) - Date.now()
  assert.ok(Math.abs(kept - 24 * 3600_000) < 10_000, `${kept} ms`)
  const expiry = Number(/exp=(\d+)/.exec(upload.upload.url)?.[1])
  assert.ok(Math.abs(expiry - Date.now() / 1000 - 3600) < 10)
  await checkFiles(server)
})

test('FILE-8: bots upload like people', async () => {
  const bot = await createApplicationBot(server, owner, { name: 'Uploader' })
  assert.equal(await codeOf(create(bot)), '403 not_a_member')
  await owner.client.members.addBot(space.id, bot.id)
  assert.equal(await codeOf(create(bot)), 200)
})

test('FILE-8: it requires SendMessages in the room, which must not be a category', async () => {
  assert.equal(await codeOf(create(outsider)), '403 not_a_member')
  assert.equal(await codeOf(create(owner, {}, newId())), '404 unknown_room')
  const category = space.rooms.find(({ type }) => type === RoomType.Category)
  assert.equal(await codeOf(create(owner, {}, category?.id)), '400 not_a_message_room')
  assert.equal(await codeOf(create(member, {}, space.lounge)), 200)
  for (const deny_flags of [Permission.SendMessages, Permission.ViewChannels]) {
    await owner.client.overwrites.upsert(space.id, space.general, {
      target_id: member.id,
      target_type: 1,
      allow_flags: 0,
      deny_flags,
    })
    assert.equal(await codeOf(create(member)), '403 missing_permission')
  }
  assert.equal(await codeOf(create(owner)), 200)
})

test('FILE-8: a user removed while their body arrives reserves no space', async () => {
  const { token, session_token } = await openSession(server, member.id)
  const json = JSON.stringify(body)
  const path = `/api/rooms/${space.general}/attachments`
  const sending = request(server.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-session-token': session_token,
      'content-type': 'application/json',
      'content-length': json.length,
    },
  })
  const answered = once(sending, 'response')
  sending.write(json.slice(0, 8))
  await once(sending, 'socket')
  // The server has read the beginning once a later request is answered.
  await member.call('GET', '/api/users/@me')
  await owner.client.members.kick(space.id, member.id)
  sending.end(json.slice(8))
  const [answer] = await answered
  answer.resume()
  assert.equal(answer.statusCode, 403)
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})

test('FILE-8: invalid bodies are refused with the field’s name, and those of outsiders are not read', async () => {
  const bad: [Record<string, unknown>, RegExp][] = [
    [{ filename: 'a/b' }, /^filename/],
    [{ filename: '..' }, /^filename/],
    [{ filename: '' }, /^filename/],
    [{ filename: 'x'.repeat(256) }, /^filename/],
    [{ filename: 'a\u202egnp.exe' }, /^filename/],
    [{ filename: 'a\0b' }, /^filename/],
    [{ filename: null }, /^filename/],
    [{ size_bytes: -1 }, /^size_bytes/],
    [{ size_bytes: 1.5 }, /^size_bytes/],
    [{ size_bytes: '10' }, /^size_bytes/],
    [{ size_bytes: null }, /^size_bytes/],
    [{ size_bytes: 2 ** 63 }, /^size_bytes/],
    [{ content_type: 'text' }, /^content_type/],
    [{ content_type: 'text/plain\r\nx: y' }, /^content_type/],
    [{ content_type: undefined }, /^content_type/],
  ]
  for (const [changes, message] of bad) {
    const answer = await create(member, changes)
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'], JSON.stringify(changes))
    assert.match(JSON.stringify(answer.body).slice('{"error":"'.length), message)
    assert.equal(await codeOf(create(outsider, changes)), '403 not_a_member')
  }
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})

test('FILE-8: an upload over the limits of the storage is 413, and nothing is kept', async () => {
  assert.equal(await codeOf(create(member, { size_bytes: 50 * MIB + 1 })), '413 upload_too_large')
  assert.equal(await codeOf(create(member, { size_bytes: 2 ** 53 - 1 })), '413 upload_too_large')
  assert.equal(await codeOf(create(member, { size_bytes: 50 * MIB })), 200)
  assert.equal(await codeOf(create(member, { size_bytes: 50 * MIB })), 200)
  assert.equal(await codeOf(create(member, { size_bytes: 1 })), '413 storage_full')
  assert.equal((await listHoldings(server, space.id)).usedBytes, 100 * MIB)
})

test('FILE-8: the limits of the active bucket apply', async () => {
  await addStorage(server, space.id, { maxBytes: 1000, uploadLimitBytes: 600 })
  assert.equal(await codeOf(create(member, { size_bytes: 601 })), '413 upload_too_large')
  assert.equal(await codeOf(create(member, { size_bytes: 600 })), 200)
  assert.equal(await codeOf(create(member, { size_bytes: 401 })), '413 storage_full')
  assert.equal(await codeOf(create(member, { size_bytes: 400 })), 200)
})

test('FILE-8: simultaneous uploads do not exceed the limit together', async () => {
  await addStorage(server, space.id, { maxBytes: 1000 })
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => codeOf(create(member, { size_bytes: 300 }))),
  )
  assert.deepEqual(answers.toSorted(), [...Array(3).fill(200), ...Array(5).fill('413 storage_full')])
  assert.equal((await listHoldings(server, space.id)).usedBytes, 900)
})

test('FILE-19: unclaimed uploads take up to a quarter of the free space, and never all of a large storage', async () => {
  const GIB = 1024 * MIB
  await addStorage(server, space.id, { maxBytes: 4 * GIB, uploadLimitBytes: GIB })
  assert.equal(await codeOf(create(member, { size_bytes: GIB })), 200)
  const refused = await create(member, { size_bytes: 1 })
  assert.deepEqual([refused.status, refused.code], [413, 'storage_full'])
  assert.match(JSON.stringify(refused.body), /your share of the storage; send or cancel them first/)
  assert.equal((await listHoldings(server, space.id)).usedBytes, GIB)
  assert.equal(await codeOf(create(owner)), 200)
})

test('FILE-19: 256 MiB of unclaimed uploads are always allowed if there is space', async () => {
  await addStorage(server, space.id, { maxBytes: 300 * MIB })
  assert.equal(await codeOf(create(member, { size_bytes: 256 * MIB })), 200)
  assert.equal(await codeOf(create(member, { size_bytes: 1 })), '413 storage_full')
  assert.equal(await codeOf(create(owner)), 200)
})

test('FILE-8: nobody has more than 50 unclaimed uploads, however many they begin at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: MAX_PENDING_UPLOADS + 5 }, () => codeOf(create(member, { size_bytes: 1 }))),
  )
  assert.equal(answers.filter((answer) => answer === 200).length, MAX_PENDING_UPLOADS)
  assert.equal(answers.filter((answer) => answer === '400 too_many_uploads').length, 5)
  assert.equal((await listHoldings(server, space.id)).usedBytes, MAX_PENDING_UPLOADS)
  assert.equal(await codeOf(create(owner)), 200)
})

test('FILE-9: the user who reserved an upload cancels it, once; for everyone else it is 404', async () => {
  const { attachment_id: id } = await member.client.attachments.create(space.general, body)
  const cancel = (person: Person, roomId = space.general) =>
    codeOf(person.call('DELETE', `/api/rooms/${roomId}/attachments/${id}`))
  assert.equal(await cancel(outsider), '403 not_a_member')
  assert.equal(await cancel(owner), '404 unknown_attachment')
  assert.equal(await cancel(member, space.lounge), '404 unknown_attachment')
  assert.equal(await cancel(member), 204)
  assert.equal(await cancel(member), '404 unknown_attachment')
  await assert.rejects(member.client.attachments.cancel(space.general, newId()), {
    code: 'unknown_attachment',
  })
})

test('FILE-9: a cancelled upload counts until nobody can write it, and its object is deleted', async () => {
  const upload = await member.client.attachments.create(space.general, body)
  await put(upload)
  await member.client.attachments.cancel(space.general, upload.attachment_id)
  assert.equal((await put(upload)).status, 404)
  assert.equal((await listHoldings(server, space.id)).usedBytes, text.length)
  const [row] = await server.deps.database.query<{ minutes: number }>(sql`
    select extract(epoch from sweep_at - now())::float8 / 60 as minutes from attachments
    where id = ${upload.attachment_id}`)
  assert.ok(row && row.minutes > 60 && row.minutes < 70, `${row?.minutes} minutes`)
  await checkFilesAtRest(server)
  assert.deepEqual(await listHoldings(server, space.id), { ids: [], usedBytes: 0 })
})
