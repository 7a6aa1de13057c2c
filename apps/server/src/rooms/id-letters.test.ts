import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { RoomType } from '@foyer/protocol/rooms'
import { connect } from '#test/gateway-client.ts'
import { codeOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const large = (id: string) => id.toUpperCase()

test('HTTP-10: upper-case ids are read in paths and queries, and answered in lower case', async () => {
  const { id } = await ada.client.messages.create(space.general, { content: 'hello' })
  const answer = await ada.call('GET', `/api/rooms/${large(space.general)}/messages/${large(id)}`)
  assert.deepEqual(answer.body, await ada.client.messages.get(space.general, id))
  const search = `/api/spaces/${large(space.id)}/messages/search?author_id=${large(ada.id)}&room_id=${large(space.general)}`
  const { messages } = Object((await ada.call('GET', search)).body)
  assert.deepEqual([messages.length, messages[0].id], [1, id])
  const after = await ada.call('GET', `/api/rooms/${space.general}/messages?around=${large(id)}`)
  assert.equal(Object(after.body)[0].id, id)
})

test('HTTP-10: upper-case ids are read in bodies, alone and in lists', async () => {
  const category = await ada.client.rooms.create(space.id, { name: 'Category', type: RoomType.Category })
  const body = { name: 'Inside', type: RoomType.Text, parent_id: large(category.id) }
  const room = Object((await ada.call('POST', `/api/spaces/${space.id}/rooms`, body)).body)
  assert.equal(room.parent_id, category.id)
  const first = await ada.client.messages.create(space.general, { content: 'first' })
  const reply = await ada.call('POST', `/api/rooms/${space.general}/messages`, {
    content: 'second',
    reference: { type: 0, message_id: large(first.id) },
  })
  assert.equal(Object(reply.body).reference.message_id, first.id)
  const ids = { ids: [large(first.id), large(Object(reply.body).id)] }
  assert.equal(await codeOf(ada.call('POST', `/api/rooms/${space.general}/messages/bulk-delete`, ids)), 204)
  assert.deepEqual(
    (await ada.client.messages.list(space.general)).filter(({ content }) => content !== 'hello'),
    [],
  )
})

test('HTTP-10: a picture is kept by its upper-case id, and an upper-case emoji is the same reaction', async () => {
  await ada.client.buckets.createIncluded(space.id)
  await ada.call('PATCH', `/api/spaces/${space.id}`, formOf(['icon', await png()]))
  const { icon } = await ada.client.spaces.get(space.id)
  assert.ok(icon)
  const kept = await ada.call('PATCH', `/api/spaces/${space.id}`, { icon: large(icon), name: 'Kept' })
  assert.deepEqual([kept.status, Object(kept.body).icon], [200, icon])
  const emoji = await ada.client.emojis.create(space.id, { name: 'tea', image: await png() })
  const { id } = await ada.client.messages.create(space.general, { content: 'react' })
  for (const text of [emoji.id, large(emoji.id)]) {
    const path = `/api/rooms/${space.general}/messages/${id}/reactions/${text}`
    assert.equal(await codeOf(ada.call('PUT', path)), 204)
  }
  const { reactions } = await ada.client.messages.get(space.general, id)
  assert.deepEqual(reactions, [{ emoji: emoji.id, count: 1, me: true }])
})

test('HTTP-10: upper-case ids are read in gateway frames', async () => {
  const client = await connect(server, ada)
  const wanted = { space_id: large(space.id), user_ids: [large(eve.id)], limit: 10, nonce: 'members' }
  client.send(Opcode.RequestMembers, wanted)
  const { text } = await client.findEvent('SPACE_MEMBERS_CHUNK')
  const { d } = JSON.parse(text)
  assert.equal(d.space_id, space.id)
  assert.deepEqual(
    d.members.map((member: { id: string }) => member.id),
    [eve.id],
  )
  client.close()
})

test('FILE-23: a file keeps its original name, whatever is in it', async () => {
  const image = await png()
  const files = [
    new File([await image.arrayBuffer()], 'photo.jpg', { type: 'image/jpeg' }),
    new File([await image.arrayBuffer()], 'page.html', { type: 'text/html' }),
    new File(['hello'], ' notes .txt ', { type: 'text/plain' }),
    note('plain'),
  ]
  const { attachments } = await ada.client.messages.createWithFiles(space.general, { content: '' }, files)
  assert.deepEqual(
    attachments.map(({ filename, content_type }) => [filename, content_type]),
    [
      ['photo.jpg', 'image/png'],
      ['page.html', 'image/png'],
      [' notes .txt ', 'text/plain'],
      ['note.txt', 'text/plain'],
    ],
  )
})

test('SPACE-9: the locale of a space is any text of up to 35 characters', async () => {
  for (const locale of ['de_DE', 'English (US)', ' x ', '😀'.repeat(35)])
    assert.equal((await ada.client.spaces.update(space.id, { locale })).locale, locale)
  assert.equal((await ada.client.spaces.update(space.id, { locale: '' })).locale, null)
})
