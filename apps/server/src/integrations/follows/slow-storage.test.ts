import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { BreakableStorage } from '#test/breakable-storage.ts'
import { listWritten, makeAnnouncementRoom, untilTexts } from '#test/scenes/announcements.ts'
import { note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { placeBucket } from '#test/stored-files.ts'
import { until } from '#test/until.ts'

let server: TestServer
let storage: BreakableStorage
let author: Person
let reader: Person
let source: TestSpace
/** Its storage takes files, and never answers. */
let slow: TestSpace
let quick: TestSpace
let news: string

before(async () => {
  storage = await BreakableStorage.start()
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
})
after(async () => {
  await server.close()
  await storage.close()
})
beforeEach(async () => {
  storage.mend()
  storage.requests.length = 0
  source = await makeSpace(author, [reader])
  slow = await makeSpace(reader)
  quick = await makeSpace(reader)
  news = await makeAnnouncementRoom(author, source.id)
  const bucket = await placeBucket(server, slow.id, storage.settings)
  await server.deps.database.execute(sql`update storage_buckets set active = true where id = ${bucket}`)
  storage.break(() => undefined, ['PUT'])
})

const write = (room: string, content: string) => author.client.messages.create(room, { content })
const writeFile = (content: string) =>
  author.client.messages.createWithFiles(news, { content }, [note('hello')])
const untilAsked = () =>
  until(async () => storage.requests.some((request) => request.startsWith('PUT')), 'no file was copied')

test('FOLLOW-14: a storage that never answers holds up neither its room nor others, and gets the text in order', async () => {
  const other = await makeAnnouncementRoom(author, source.id)
  await reader.client.rooms.follow(news, slow.general)
  await reader.client.rooms.follow(news, quick.general)
  await reader.client.rooms.follow(other, quick.general)
  await writeFile('one')
  await write(news, 'two')
  await untilAsked()
  await write(other, 'elsewhere')
  const texts = async () =>
    (await listWritten(reader, quick.general)).map(({ content }) => content).toSorted()
  await until(async () => (await texts()).join() === 'elsewhere,one,two', 'others wait')
  assert.deepEqual(await listWritten(reader, slow.general), [])
  await untilTexts(reader, slow.general, ['one\n📎 note.txt', 'two'])
})

test('FOLLOW-5: an announcement that is deleted while its files are copied is never copied', async () => {
  await reader.client.rooms.follow(news, slow.general)
  const gone = await writeFile('gone')
  await untilAsked()
  await author.client.messages.delete(news, gone.id)
  await write(news, 'here')
  const seen: string[] = []
  await until(async () => {
    const texts = (await listWritten(reader, slow.general)).map(({ content }) => content)
    seen.push(...texts)
    return texts.includes('here')
  }, 'the next announcement was not copied')
  assert.ok(!seen.some((text) => text.startsWith('gone')))
})
