import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GREATEST_ID, LEAST_ID } from '@foyer/protocol/ids'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listMentionsOf } from './queries.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

test('INBOX-1: a mention by name in a followed thread is read once', async () => {
  const [ada, eve] = [await createPerson(server, 'ada'), await createPerson(server, 'eve')]
  const space = await makeSpace(ada, [eve])
  const { id } = await startThread(ada, space.general)
  await ada.client.messages.create(id, { content: `<@${eve.id}>` })
  const { database } = server.deps
  const answers: Promise<readonly unknown[]>[] = []
  const kept = <T extends Promise<readonly unknown[]>>(answer: T): T => {
    answers.push(answer)
    return answer
  }
  const query: typeof database.query = (asked) => kept(database.query(asked))
  const watched = { id: space.id, since: LEAST_ID, showsRooms: true, exceptions: [], roomCount: 2 }
  const page = { before: GREATEST_ID, limit: 10 }
  const found = await listMentionsOf({ query }, eve.id, { spaces: [watched], conversations: [] }, page)
  assert.deepEqual([found.length, (await Promise.all(answers)).flat().length], [1, 1])
})
