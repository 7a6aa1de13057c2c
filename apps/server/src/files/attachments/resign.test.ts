import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SignedUrl } from '@foyer/protocol/attachments'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { callAsNobody, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { type NewStoredFile, placeFile } from '#test/stored-files.ts'

const DAY_SECONDS = 24 * 60 * 60

let server: TestServer
let owner: Person
let member: Person
let outsider: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  outsider = await createPerson(server, 'outsider')
  space = await makeSpace(owner, [member])
})
after(() => server.close())

/** Inserts a file of a message in a room. */
async function place(roomId = space.general, given: Partial<NewStoredFile> = {}): Promise<string> {
  const bytes = Buffer.from('a picture')
  const file = await placeFile(server, { tenantId: space.id, roomId, messageId: newId(), bytes, ...given })
  return file.id
}

function resign(person: Person, id: string) {
  return person.call('POST', `/attachments/${id}/resign`)
}

async function codeOf(person: Person, id: string) {
  const { status, code } = await resign(person, id)
  return code === null ? status : `${status} ${code}`
}

/** Hides the room from the member, or shows it. */
function hide(roomId: string, isHidden: boolean) {
  const deny_flags = isHidden ? Permission.ViewChannels : 0
  const overwrite = { target_id: member.id, target_type: 1, allow_flags: 0, deny_flags } as const
  return owner.client.overwrites.upsert(space.id, roomId, overwrite)
}

test('FILE-7: a new URL has the form of the old one, and works for 24 hours', async () => {
  const id = await place()
  const before = Math.floor(Date.now() / 1000)
  const { url }: SignedUrl = await member.client.attachments.resign(id)
  const [, expiry] = new RegExp(`^/attachments/${id}\\?sig=[\\w-]{43}&exp=(\\d+)$`).exec(url) ?? []
  const left = Number(expiry) - before
  assert.ok(left >= DAY_SECONDS && left <= DAY_SECONDS + 60, `${left} s`)
  const response = await server.fetch(`${url}&stream=1`)
  assert.equal(await response.text(), 'a picture')
})

test('FILE-7: bots get one like people', async () => {
  const bot = await createApplicationBot(server, owner, { name: 'Archive' })
  const id = await place()
  assert.equal(await codeOf(bot, id), '403 not_a_member')
  await owner.client.members.addBot(space.id, bot.id)
  assert.equal(await codeOf(bot, id), 200)
})

test('FILE-7: it requires an account that may view the room at that moment', async () => {
  const { room } = { room: await owner.client.rooms.create(space.id, { name: 'private', type: 1 }) }
  const id = await place(room.id)
  assert.equal((await callAsNobody(server, 'POST', `/attachments/${id}/resign`)).status, 401)
  assert.equal(await codeOf(outsider, id), '403 not_a_member')
  assert.equal(await codeOf(member, id), 200)
  await hide(room.id, true)
  assert.equal(await codeOf(member, id), '403 missing_permission')
  assert.equal(await codeOf(owner, id), 200)
  await hide(room.id, false)
  assert.equal(await codeOf(member, id), 200)
  await owner.client.members.kick(space.id, member.id)
  assert.equal(await codeOf(member, id), '403 not_a_member')
  const { code } = await owner.client.invites.create(space.id, space.general)
  await member.client.invites.join(code)
  assert.equal(await codeOf(member, id), 200)
})

test('FILE-7: the uploader of a file has no more rights to it than others', async () => {
  const id = await place(space.general, { ownerId: outsider.id })
  assert.equal(await codeOf(outsider, id), '403 not_a_member')
})

test('FILE-7: a file that does not exist, is not shown yet or was deleted is 404 for everyone', async () => {
  const states = ['reserved', 'stored', 'deleted', 'removed'] as const
  const ids = await Promise.all(states.map((state) => place(space.general, { state })))
  for (const id of [...ids, newId()])
    for (const person of [owner, outsider]) assert.equal(await codeOf(person, id), '404 unknown_attachment')
  assert.equal(await codeOf(owner, 'no-id'), '400 invalid_request')
})

test('FILE-7: a file of a deleted room is 404', async () => {
  const room = await owner.client.rooms.create(space.id, { name: 'short', type: 1 })
  const id = await place(room.id)
  assert.equal(await codeOf(owner, id), 200)
  await owner.client.rooms.delete(space.id, room.id)
  assert.match(`${await codeOf(owner, id)}`, /^404 /)
})

test('FILE-7: public pictures have a URL for everyone', async () => {
  const file = await placeFile(server, { tenantId: space.id, purpose: 'emoji' })
  const { url } = await outsider.client.attachments.resign(file.id)
  assert.match(url, new RegExp(`^/attachments/${file.id}\\?sig=`))
})
