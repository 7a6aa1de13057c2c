import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { codeOf, namesOf, note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace
let stickers: SpaceSticker[]
let ids: string[]

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(ada, [eve])
  stickers = await makeStickers(space.id, 4)
  ids = stickers.map(({ id }) => id)
})

async function makeStickers(spaceId: string, count: number): Promise<SpaceSticker[]> {
  await addStorage(server, spaceId)
  const file = await png()
  const numbers = Array.from({ length: count }, (_, index) => index)
  return Promise.all(
    numbers.map((number) => ada.client.stickers.create(spaceId, { name: `sticker_${number}`, image: file })),
  )
}

const send = (sticker_ids: unknown) =>
  codeOf(eve.call('POST', `/api/rooms/${space.general}/messages`, { content: 'x', sticker_ids }))

test('MESSAGE-16: a message shows its stickers in its own order everywhere', async () => {
  const [first, second, third] = stickers
  assert.ok(first && second && third)
  const sent = await eve.client.messages.create(space.general, {
    sticker_ids: [third.id, first.id, second.id],
  })
  assert.deepEqual(sent.stickers, [third, first, second])
  assert.equal(sent.content, '')
  assert.deepEqual(await ada.client.messages.list(space.general), [sent])
  assert.deepEqual(await ada.client.messages.get(space.general, sent.id), sent)
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(journal, [{ name: 'MESSAGE_CREATE', audience: 0, data: sent }])
})

test('MESSAGE-16: stickers and files can be combined, in any number', async () => {
  const body = { content: 'x', sticker_ids: ids.slice(0, 1) }
  const sent = await eve.client.messages.createWithFiles(space.general, body, [note('1', '1.txt')])
  assert.deepEqual([sent.stickers, namesOf(sent)], [stickers.slice(0, 1), ['1.txt']])
  const again = await eve.client.messages.create(space.general, body)
  assert.deepEqual(again.stickers, sent.stickers)
  assert.deepEqual(await ada.client.messages.list(space.general), [again, sent])
})

test('MESSAGE-16: a message has at most 3 stickers, each once, and only of this space', async () => {
  const [other] = await makeStickers((await makeSpace(ada, [eve])).id, 1)
  const emoji = await ada.client.emojis.create(space.id, { name: 'emoji', image: await png() })
  for (const wrong of [[newId()], [other?.id], [emoji.id], [ids[0], newId()]])
    assert.equal(await send(wrong), '404 unknown_sticker')
  for (const wrong of [ids, [ids[0], ids[0]], ['x'], 'x', [null], {}])
    assert.equal(await send(wrong), '400 invalid_request', JSON.stringify(wrong))
  assert.deepEqual(await ada.client.messages.list(space.general), [])
  assert.equal(await send(ids.slice(0, 3)), 200)
  assert.equal(await send([]), 200)
  assert.equal(await send(null), 200)
})

test('MESSAGE-16: stickers in a conversation are of any space that the user is in, as long as they exist', async () => {
  const { id: conversation } = await makeDirect(server, ada, eve)
  const sticker_ids = ids.slice(0, 1)
  const sendThere = (person: Person) =>
    codeOf(person.call('POST', `/api/conversations/${conversation}/messages`, { sticker_ids }))
  assert.equal(await sendThere(ada), 200)
  const shown = async () =>
    (await eve.client.messages.list({ conversation: conversation }))[0]?.stickers.length
  assert.equal(await shown(), 1)
  await eve.client.members.leave(space.id)
  assert.equal(await sendThere(eve), '404 unknown_sticker')
  await ada.client.spaces.delete(space.id)
  assert.equal(await sendThere(ada), '404 unknown_sticker')
  assert.equal(await shown(), 0)
})

test('MESSAGE-16: an unknown sticker keeps none of the message’s files', async () => {
  const before = await listHoldings(server, space.id)
  const sending = eve.client.messages.createWithFiles(space.general, { sticker_ids: [newId()] }, [note('1')])
  await assert.rejects(sending, { code: 'unknown_sticker' })
  assert.deepEqual(await listHoldings(server, space.id), before)
})

test('MESSAGE-16: a deleted sticker disappears from its messages, and a retry still finds them', async () => {
  const [first, second] = stickers
  assert.ok(first && second)
  const body = { sticker_ids: [first.id, second.id], nonce: 'n' }
  const sent = await eve.client.messages.create(space.general, body)
  await ada.client.stickers.delete(space.id, first.id)
  const shown = { ...sent, stickers: [second] }
  assert.deepEqual(await ada.client.messages.list(space.general), [shown])
  assert.deepEqual(await eve.client.messages.create(space.general, body), shown)
  assert.equal(await send([first.id]), '404 unknown_sticker')
})

test('MESSAGE-16: a sticker is shown under its current name', async () => {
  const [sticker] = stickers
  assert.ok(sticker)
  await eve.client.messages.create(space.general, { sticker_ids: [sticker.id] })
  const renamed = await ada.client.stickers.update(space.id, sticker.id, { name: 'other_name' })
  const [message] = await ada.client.messages.list(space.general)
  assert.deepEqual(message?.stickers, [renamed])
})
