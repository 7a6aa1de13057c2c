import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { identify, openSession, type ReceivedFrame, resume } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { methodsOf, nouns } from '#test/scenes/space-images.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'

let server: TestServer
let owner: Person
let picture: File
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  picture = await png()
  space = await makeSpace(owner)
  await addStorage(server, space.id)
})
after(() => server.close())

/** Returns the space's state in READY or SPACE_CREATE. */
function stateIn({ text }: ReceivedFrame) {
  const { d } = JSON.parse(text)
  const { emojis, stickers } = d.spaces?.[0] ?? d
  return { emojis, stickers }
}

test('EMOJI-1: READY has them, and JOURNAL-6: a client that resumes does not receive one again that it knows to be deleted', async () => {
  const session = await openSession(server, owner.id)
  const [emoji, sticker] = await Promise.all(
    nouns.map((noun) => methodsOf(owner, noun).create(space.id, { name: 'tea', image: picture })),
  )
  assert.ok(emoji && sticker)
  const first = await identify(server, session)
  assert.deepEqual(stateIn(await first.findEvent('READY')), { emojis: [emoji], stickers: [sticker] })
  await owner.client.emojis.delete(space.id, emoji.id)
  await owner.client.stickers.delete(space.id, sticker.id)
  const { s } = await first.findEvent('SPACE_STICKER_DELETE')
  first.socket.terminate()
  const second = await resume(server, session, s ?? '')
  assert.deepEqual(stateIn(await second.findEvent('SPACE_CREATE')), { emojis: [], stickers: [] })
  const repeated = second.frames.filter(({ t }) => t !== undefined && /EMOJI|STICKER/.test(t))
  assert.deepEqual(repeated, [])
  second.socket.terminate()
})
