import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { listWritten, makeAnnouncementRoom, makeFollowScene, untilTexts } from '#test/scenes/announcements.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let author: Person
let reader: Person
let source: TestSpace
let target: TestSpace
let news: string

before(async () => {
  server = await startTestServer()
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
})
after(() => server.close())
beforeEach(async () => {
  ;({ source, target, news } = await makeFollowScene(author, reader))
})

const write = (content: string) => author.client.messages.create(news, { content })

/** Waits until everything that was written so far has been copied. */
const untilCopied = () =>
  until(async () => {
    const left = await server.deps.database.query(sql`select from announcement_changes limit 1`)
    return left.length === 0
  }, 'some announcements were never copied')

test('FOLLOW-4: what is written from then on is copied in order, under the name of the space, and says where it is from', async () => {
  await write('before')
  const webhook = await reader.client.rooms.follow(news, target.general)
  const first = await write('one')
  await write('two')
  await untilTexts(reader, target.general, ['one', 'two'])
  const [copy] = await listWritten(reader, target.general)
  assert.equal(copy?.author.username, 'Tea')
  assert.equal(copy?.webhook_id, webhook.id)
  assert.deepEqual(copy?.copy_of, { space_id: source.id, room_id: news, message_id: first.id })
  assert.equal('copy_of' in first, false)
})

test('FOLLOW-5: edits and deletions of the original, one by one and many at once, reach the copies', async () => {
  await reader.client.rooms.follow(news, target.general)
  const [one, two, three, four] = [await write('1'), await write('2'), await write('3'), await write('4')]
  await untilTexts(reader, target.general, ['1', '2', '3', '4'])
  await author.client.messages.update(news, one.id, { content: 'first' })
  await author.client.messages.delete(news, two.id)
  await untilTexts(reader, target.general, ['first', '3', '4'])
  const [edited] = await listWritten(reader, target.general)
  assert.notEqual(edited?.edited_at, null)
  await author.client.messages.bulkDelete(news, [three.id, four.id])
  await untilTexts(reader, target.general, ['first'])
})

test('FOLLOW-5: a message that was deleted before it was copied is never copied, and an edit before the follow copies nothing', async () => {
  const old = await write('old')
  await reader.client.rooms.follow(news, target.general)
  const gone = await write('gone')
  await author.client.messages.delete(news, gone.id)
  await author.client.messages.update(news, old.id, { content: 'older' })
  await write('here')
  await untilCopied()
  const texts = (await listWritten(reader, target.general)).map(({ content }) => content)
  assert.deepEqual(
    texts.filter((text) => text !== 'gone'),
    ['here'],
  )
  await untilTexts(reader, target.general, ['here'])
})

test('FOLLOW-6: copies mention nobody, and keep the text', async () => {
  await reader.client.rooms.follow(news, target.general)
  const text = `@everyone <@${reader.id}> <@&${target.id}>`
  await write(text)
  await untilTexts(reader, target.general, [text])
  const [copy] = await listWritten(reader, target.general)
  assert.deepEqual([copy?.mentions, copy?.mention_roles, copy?.mention_everyone], [[], [], false])
})

test('FOLLOW-4: copies are not copied on, and neither are threads and notices', async () => {
  const relay = await makeAnnouncementRoom(reader, target.id)
  await reader.client.rooms.follow(news, relay)
  await reader.client.rooms.follow(relay, target.general)
  const message = await write('original')
  await untilTexts(reader, relay, ['original'])
  await author.client.pins.add(news, message.id)
  await reader.client.messages.create(relay, { content: 'own' })
  await untilTexts(reader, target.general, ['own'])
  await untilCopied()
  await untilTexts(reader, target.general, ['own'])
})

test('FOLLOW-7: after the webhook is deleted, and after the room stops announcing, copies stay and nothing is copied', async () => {
  const webhook = await reader.client.rooms.follow(news, target.general)
  const other = await reader.client.rooms.create(target.id, { name: 'other', type: RoomType.Text })
  const second = await reader.client.rooms.follow(news, other.id)
  await write('one')
  await untilTexts(reader, target.general, ['one'])
  await untilTexts(reader, other.id, ['one'])
  await reader.client.webhooks.delete(webhook.id)
  assert.deepEqual(await author.client.rooms.followers(news), { count: 1 })
  await write('two')
  await untilTexts(reader, other.id, ['one', 'two'])
  await untilTexts(reader, target.general, ['one'])
  const room = await author.client.rooms.update(source.id, news, { announces: false })
  assert.equal('announces' in room, false)
  await write('three')
  assert.equal((await reader.client.webhooks.get(second.id)).source, null)
  await author.client.rooms.update(source.id, news, { announces: true })
  await write('four')
  await untilCopied()
  await untilTexts(reader, other.id, ['one', 'two'])
})

test('FOLLOW-8: a frozen space gets no copies, and a deleted room of a follower does not stop the others', async () => {
  const gone = await reader.client.rooms.create(target.id, { name: 'gone', type: RoomType.Text })
  await reader.client.rooms.follow(news, gone.id)
  await reader.client.rooms.follow(news, target.general)
  await reader.client.rooms.delete(target.id, gone.id)
  assert.deepEqual(await author.client.rooms.followers(news), { count: 1 })
  await write('one')
  await untilTexts(reader, target.general, ['one'])
  assert.deepEqual(await author.client.rooms.followers(news), { count: 1 })
})

test('FOLLOW-9: of more than 30 messages in ten minutes, the others wait for their turn, and edits do not', async () => {
  await reader.client.rooms.follow(news, target.general)
  const texts = Array.from({ length: 33 }, (_, index) => `${index}`)
  const first = await write('0')
  for (const text of texts.slice(1)) await write(text)
  await untilTexts(reader, target.general, texts.slice(0, 30))
  await author.client.messages.update(news, first.id, { content: 'first' })
  await untilTexts(reader, target.general, ['first', ...texts.slice(1, 30)])
  await server.deps.database.execute(sql`update followed_rooms set copied_at = '{}' where room_id = ${news}`)
  await server.deps.database.execute(
    sql`update announcement_changes set due_at = now() where space_id = ${source.id}`,
  )
  await untilTexts(reader, target.general, ['first', ...texts.slice(1)])
})
