import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_BULK_DELETE } from '@foyer/protocol/limits'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
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

async function say(person: Person, room: string, ...texts: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const content of texts) ids.push((await person.client.messages.create(room, { content })).id)
  return ids
}

const deletions = async (room: string) => {
  const journal = await listJournal(server, topicOf.room(space.id, room))
  return journal.filter(({ name }) => name === 'MESSAGE_DELETE_BULK').map(({ data }) => data)
}

test('BULK-1: existing messages are deleted and published together with ManageMessages', async () => {
  const { general } = space
  const [kept = '', first = '', second = ''] = await say(eve, general, 'kept', `<@${ada.id}> one`, 'two')
  const [elsewhere = ''] = await say(eve, space.lounge, 'elsewhere')
  await ada.client.messages.bulkDelete(general, [second, first, first, newId(), elsewhere])
  const left = await ada.client.messages.list(general)
  assert.deepEqual(
    left.map(({ id }) => id),
    [kept],
  )
  assert.equal((await ada.client.messages.list(space.lounge)).length, 1)
  const gone = { author_id: eve.id, mention_roles: [], mention_everyone: false, thread_id: null }
  assert.deepEqual(await deletions(general), [
    {
      ids: [first, second],
      messages: [
        { id: first, seq: 2, ...gone, mentions: [ada.id] },
        { id: second, seq: 3, ...gone, mentions: [] },
      ],
      room_id: general,
      conversation_id: null,
      space_id: space.id,
    },
  ])
  await ada.client.messages.bulkDelete(general, [first, second])
  assert.equal((await deletions(general)).length, 1)
})

test('BULK-2: nothing is deleted in bulk without ManageMessages, not even one’s own messages', async () => {
  const { id: room } = await ada.client.rooms.create(space.id, { name: 'kept', type: 1 })
  const ids = await say(eve, room, 'own')
  const outsider = await createPerson(server, 'outsider')
  for (const [person, code] of [
    [eve, 'missing_permission'],
    [outsider, 'not_a_member'],
  ] as const) {
    const answer = await person.call('POST', `/api/rooms/${room}/messages/bulk-delete`, { ids })
    assert.deepEqual([answer.status, answer.code], [403, code])
  }
  const tooMany = Array.from({ length: MAX_BULK_DELETE + 1 }, () => newId())
  for (const wrong of [{}, { ids: [] }, { ids: null }, { ids: ['x'] }, { ids: tooMany }, []]) {
    const answer = await ada.call('POST', `/api/rooms/${room}/messages/bulk-delete`, wrong)
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'])
  }
  assert.equal((await ada.client.messages.list(room)).length, 1)
  assert.deepEqual(await deletions(room), [])
})
