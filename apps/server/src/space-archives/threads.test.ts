import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Owner, signUpOwner } from '#test/scenes/exports.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { exportSpace, importSpace, unpackSpace } from '#test/scenes/space-archives.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Owner
let member: Person
let space: TestSpace
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  owner = await signUpOwner(server, `owner${count}`)
  member = await createPerson(server, `member${count}`)
  space = await makeSpace(owner, [member])
})

async function start(roomId: string, body: object): Promise<string> {
  const { status, body: thread } = await member.call('POST', `/api/rooms/${roomId}/threads`, body)
  assert.equal(status, 201)
  return Object(thread).id
}

const threadsIn = async (roomId: string) =>
  Object((await member.call('GET', `/api/rooms/${roomId}/threads`)).body).threads

test('TROOM-15: threads and their messages are in the archive of a space, and come back', async () => {
  const starter = await member.client.messages.create(space.general, { content: 'starter' })
  const one = await start(space.general, { title: 'One', message_id: starter.id, quiet_minutes: 0 })
  await start(space.general, { title: 'Empty' })
  const first = await owner.client.messages.create(one, { content: 'inside' })
  await member.client.messages.create(one, { content: 'answer', reference: { message_id: first.id } })
  await member.call('PATCH', `/api/threads/${one}`, { is_closed: true })
  await owner.client.rooms.update(space.id, space.general, { replies: 'threads' })
  const archive = await exportSpace(server, owner, space.id)
  const { files } = await unpackSpace(archive)
  const manifest = JSON.parse(`${files.get('manifest.json')}`)
  assert.deepEqual([manifest.version, manifest.counts.threads], [2, 2])
  const imported = await importSpace(member, archive)
  assert.equal(imported.failure, null)
  const rooms = await member.client.rooms.list(imported.space_id ?? '')
  const general = rooms.find(({ name }) => name === 'general')
  assert.equal(general?.replies, 'threads')
  const threads = await threadsIn(general?.id ?? '')
  const shown = threads.map(
    ({ title, message_count, is_closed, creator_id, quiet_minutes }: Record<string, unknown>) => [
      ...[title, message_count, is_closed, creator_id, quiet_minutes],
    ],
  )
  assert.deepEqual(shown.toSorted(), [
    ['Empty', 0, false, member.id, 4320],
    ['One', 2, true, member.id, 0],
  ])
  const back = threads.find(({ title }: { title: string }) => title === 'One')
  const texts = (await member.client.messages.list(back.id)).map(({ content }) => content)
  assert.deepEqual(texts, ['answer', 'inside'])
  const [begun] = await member.client.messages.list(general?.id ?? '')
  assert.deepEqual([back.starter_message_id, begun?.content], [begun?.id, 'starter'])
  const [answer] = await member.client.messages.list(back.id, { limit: 1 })
  assert.equal(answer?.referenced_message?.content, 'inside')
  const found = await member.client.search.space(imported.space_id ?? '', { query: 'inside' })
  assert.equal(found.messages.length, 1)
})

test('TROOM-15: a space without threads has the version that older servers take', async () => {
  const { files } = await unpackSpace(await exportSpace(server, owner, space.id))
  const manifest = JSON.parse(`${files.get('manifest.json')}`)
  assert.deepEqual([manifest.version, manifest.counts.threads], [1, undefined])
})
