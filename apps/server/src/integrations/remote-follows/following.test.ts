import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { listWritten, untilTexts } from '#test/scenes/announcements.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, pageOf, reachable, startSource, untilSubscribed } from '#test/scenes/remote-follows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom } from '#test/scenes/web-feeds.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let source: TestServer
let server: TestServer
let author: Person
let reader: Person
let origin: TestSpace
let target: TestSpace
let news: string

before(async () => {
  ;[source, server] = await Promise.all([startSource(), startOwnServer(await reachable())])
  author = await createPerson(source, 'author')
  reader = await createPerson(server, 'reader')
})
after(() => Promise.all([source.close(), server.close()]))
beforeEach(async () => {
  origin = await makeSpace(author)
  target = await makeSpace(reader)
  news = await openAnnouncementRoom(author, origin.id)
})

const write = (content: string) => author.client.messages.create(news, { content })
const follow = () => reader.client.rooms.followRemote(target.general, pageOf(source, origin.id, news))

test('FOLLOW-40: a room follows an announcement room of another server by the address of its page', async () => {
  const webhook = await follow()
  assert.equal(webhook.name, 'Tea')
  assert.equal(webhook.token, null)
  const { host } = new URL(source.url)
  assert.deepEqual(webhook.source, {
    ...{ space_id: origin.id, space_name: 'Tea', room_id: news, room_name: 'news' },
    ...{ url: pageOf(source, origin.id, news), server: host, failing_since: null },
  })
  const again = await reader.call('POST', `/api/rooms/${target.general}/remote-follows`, {
    url: `${pageOf(source, origin.id, news)}/feed.atom`,
  })
  assert.deepEqual([again.status, again.code], [409, 'already_followed'])
})

test('FOLLOW-43: what is written from then on is copied in order, and edits and deletions follow within seconds', async () => {
  await write('before')
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  const [first, second] = [await write('one'), await write('two')]
  await untilTexts(reader, target.general, ['one', 'two'])
  const [copy] = await listWritten(reader, target.general)
  assert.deepEqual(copy?.copy_of, {
    ...{ space_id: origin.id, room_id: news, message_id: first.id, server: new URL(source.url).host },
    ...{ space_name: 'Tea', room_name: 'news', url: copy?.copy_of?.url },
  })
  assert.equal(new URL(copy?.copy_of?.url ?? '').origin, source.url)
  await author.client.messages.update(news, second.id, { content: 'second' })
  await untilTexts(reader, target.general, ['one', 'second'])
  await author.client.messages.delete(news, first.id)
  await untilTexts(reader, target.general, ['second'])
})

test('FOLLOW-43: files are copied into the space that follows', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  const files = [new File(['plain text'], 'notes.txt', { type: 'text/plain' })]
  await author.client.messages.createWithFiles(news, { content: 'with file' }, files)
  await untilTexts(reader, target.general, ['with file'])
  const [copy] = await listWritten(reader, target.general)
  const [file] = copy?.attachments ?? []
  assert.deepEqual([file?.filename, file?.size_bytes], ['notes.txt', 10])
  const downloaded = await fetch(new URL(file?.url ?? '', server.url))
  assert.equal(await downloaded.text(), 'plain text')
})

test('FOLLOW-44: a message that was hidden and is shown again is copied again; a copy that was deleted never is', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  await write('one')
  await write('two')
  await untilTexts(reader, target.general, ['one', 'two'])
  const [copy] = await listWritten(reader, target.general)
  await reader.client.messages.delete(target.general, copy?.id ?? '')
  await author.client.users.updateMe({ web_presence: 'none' })
  await untilTexts(reader, target.general, [])
  await author.client.users.updateMe({ web_presence: 'name' })
  await untilTexts(reader, target.general, ['two'])
})

test('FOLLOW-45: deleting the webhook ends the follow, and the hub learns it', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  await reader.client.webhooks.delete(webhook.id)
  await write('late')
  await until(async () => {
    const left = await source.deps.database.query(sql`select from feed_subscriptions where room_id = ${news}`)
    return left.length === 0
  }, 'the subscription never ended')
  assert.deepEqual(await listWritten(reader, target.general), [])
})

test('FOLLOW-46: a frozen space gets no copies and makes up for none, but edits and deletions reach it', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  const [one, kept] = [await write('one'), await write('kept')]
  await untilTexts(reader, target.general, ['one', 'kept'])
  const operator = await createOperator(server, 'operator')
  await operator.client.api(Administration).freezeSpace(target.id)
  const two = await write('two')
  await author.client.messages.update(news, kept.id, { content: 'kept, edited' })
  await author.client.messages.delete(news, one.id)
  await untilTexts(reader, target.general, ['kept, edited'])
  await operator.client.api(Administration).unfreezeSpace(target.id)
  await author.client.messages.update(news, two.id, { content: 'two, edited' })
  await write('three')
  await untilTexts(reader, target.general, ['kept, edited', 'three'])
})

test('FOLLOW-48: a server that answers again is asked for the subscription again, because it may have lost it', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  await server.deps.database.execute(sql`
    update remote_follows set failing_since = now(), lease_until = now() + interval '1 day'`)
  const isRenewed = async () => {
    await makeDue(server)
    const renewed = await server.deps.database.query(
      sql`select from remote_follows where lease_until > now() + interval '5 days' and failing_since is null`,
    )
    return renewed.length > 0
  }
  await until(isRenewed, 'the subscription was never renewed')
})

test('FOLLOW-46: a deleted space gets no copies', async () => {
  const webhook = await follow()
  await untilSubscribed(server, webhook)
  await reader.client.spaces.delete(target.id)
  await write('late')
  await makeDue(server)
  const isServed = async () => {
    const due = await server.deps.database.query(sql`select from remote_follows where due_at <= now()`)
    return due.length === 0
  }
  await until(isServed, 'the follow of a deleted space stays due')
  const copies = await server.deps.database.query(
    sql`select from message_copies where webhook_id = ${webhook.id}`,
  )
  assert.equal(copies.length, 0)
})
