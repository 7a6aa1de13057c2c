import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { AnnouncementFeed, ShownFeedMessage } from '@foyer/protocol/announcement-feed'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { compileInput } from '#src/kernel/http/validation.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { makeAnnouncementRoom, untilTexts } from '#test/scenes/announcements.ts'
import { note, putUpload } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { openAnnouncementRoom, RoomFeed } from '#test/scenes/web-feeds.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let operator: Person
let owner: Person
let eve: Person
let space: TestSpace
let news: string
let feed: RoomFeed

before(async () => {
  server = await startTestServer()
  operator = await createOperator(server, 'operator')
  owner = await createPerson(server, 'owner')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())
beforeEach(async () => {
  await allow(true)
  space = await makeSpace(owner, [eve])
  news = await openAnnouncementRoom(owner, space.id)
  feed = new RoomFeed(server, space.id, news)
})

const allow = (isAllowed: boolean) =>
  operator.client.api(Administration).updatePublicPages({ public_pages: isAllowed })
const write = (content: string, person = owner) => person.client.messages.create(news, { content })
const statusOf = async (url = feed.url) => (await fetch(url)).status

test('FOLLOW-30: the feed says what the room is, where its log stands and where the hub is, and nothing of its messages', async () => {
  const last = await write('before')
  const answer = await fetch(feed.url)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex')
  const hub = `${server.url}/read/hub`
  assert.equal(answer.headers.get('link'), `<${hub}>; rel="hub", <${feed.url}>; rel="self"`)
  const { head, last_seq, ...rest } = await answer.json()
  assert.ok(head > 0 && last_seq >= last.seq)
  const room = { id: news, name: 'news' }
  const of = { space: { id: space.id, name: 'Tea', icon: null }, room }
  assert.deepEqual(rest, { version: 1, server: server.url, url: feed.url, hub, ...of })
  assert.ok(compileInput(AnnouncementFeed)(await feed.read(0)))
})

test('FOLLOW-30: there is a feed only while the room announces and people without an account can read it', async () => {
  assert.equal(await statusOf(), 200)
  const path = `${server.url}/read/${space.id}-tea/${news}-news/announcements.json`
  assert.equal(await statusOf(path), 200)
  await owner.client.api(WebRooms).open(space.general)
  const plain = new RoomFeed(server, space.id, space.general)
  assert.equal(await statusOf(plain.url), 404)
  const closed = await makeAnnouncementRoom(owner, space.id)
  assert.equal(await statusOf(new RoomFeed(server, space.id, closed).url), 404)
  await allow(false)
  assert.equal(await statusOf(), 404)
  await allow(true)
  const hidden = { allow_flags: 0, deny_flags: Permission.ViewChannels }
  const everyone = { target_id: space.id, target_type: OverwriteTarget.Role }
  await owner.client.overwrites.upsert(space.id, news, { ...everyone, ...hidden })
  assert.equal(await statusOf(), 404)
  await owner.client.overwrites.delete(space.id, news, space.id)
  assert.equal(await statusOf(), 200)
  await owner.client.rooms.update(space.id, news, { announces: false })
  assert.equal(await statusOf(), 404)
})

test('FOLLOW-31: after a position, the feed has each message that changed once, with its latest state, in the order of changes', async () => {
  const old = await write('from before the log')
  const { head } = await feed.read()
  const [one, two, three] = [await write('one'), await write('two'), await write('three')]
  const first = await feed.untilLogged(head, 3)
  assert.deepEqual(
    first.map(({ id }) => id),
    [one.id, two.id, three.id],
  )
  assert.ok(first.every(({ number }, index) => number > (first[index - 1]?.number ?? head)))
  const { head: middle } = await feed.read()
  assert.equal(middle, first.at(-1)?.number)
  await owner.client.messages.update(news, one.id, { content: 'first' })
  await feed.untilLogged(middle, 1)
  await owner.client.messages.delete(news, three.id)
  const [edited, deleted] = await feed.untilLogged(middle, 2)
  assert.ok(edited?.state === 'there' && edited.id === one.id && edited.content === 'first')
  assert.deepEqual(deleted, { number: deleted?.number, id: three.id, state: 'gone', seq: null })
  await owner.client.messages.update(news, old.id, { content: 'older' })
  await write('last')
  const all = await feed.untilLogged(0, 4)
  assert.deepEqual(all.map(({ id }) => id).slice(0, 3), [two.id, one.id, three.id])
  assert.equal(all.length, 4)
})

test('FOLLOW-31: a page has up to 50 messages and 192 KiB, and the numbers lead to the head', async () => {
  const { head } = await feed.read()
  for (let index = 0; index < 55; index += 1) await write(`${index} ${'ä'.repeat(3900)}`)
  await feed.untilLogged(head, 20)
  const ids = new Set<string>()
  let position = head
  let pages = 0
  for (
    let page = await feed.read(position);
    ids.size < 55 || page.head > position;
    page = await feed.read(position)
  ) {
    const messages = page.messages ?? []
    assert.ok(messages.length > 0 && messages.length <= 50 && JSON.stringify(messages).length < 192 * 1024)
    for (const { id } of messages) ids.add(id)
    position = messages.at(-1)?.number ?? 0
    pages += 1
  }
  assert.ok(ids.size === 55 && pages > 2)
})

test('FOLLOW-31: a message is gone for other servers if it is a forward, or was moved into a thread; copies and notices are not logged', async () => {
  const elsewhere = await makeAnnouncementRoom(owner, space.id)
  await owner.client.rooms.follow(elsewhere, news)
  const { head } = await feed.read()
  const [starter, moved] = [await write('starter'), await write('moved')]
  await owner.client.messages.create(elsewhere, { content: 'copied' })
  await untilTexts(owner, news, ['starter', 'moved', 'copied'])
  const reference = { type: 1, room_id: news, message_id: starter.id }
  const forward = await owner.client.messages.create(news, { reference })
  await owner.client.pins.add(news, starter.id)
  const thread = await startThread(owner, news, { title: 'Tea', message_id: starter.id })
  await owner.client.api(ThreadRooms).move(thread.id, [moved.id])
  await feed.untilText(moved.id, undefined)
  const states = (await feed.untilLogged(head, 3)).map(({ id, state }) => [id, state])
  assert.deepEqual(
    states.toSorted(),
    [
      [starter.id, 'there'],
      [moved.id, 'gone'],
      [forward.id, 'gone'],
    ].toSorted(),
  )
})

test('FOLLOW-32: the text is Markdown without ids: mentions have the names that pages show, and emojis are their names', async () => {
  await feed.read()
  const hidden = await owner.client.rooms.create(space.id, { name: 'secret', type: 1 })
  await eve.client.users.updateMe({ alias: '*Eve* `x`' })
  const id = '01890000-0000-7000-8000-000000000000'
  const text = `<@${eve.id}> <@${id}> <@&${space.id}> <#${news}> <#${hidden.id}> <:tea:${id}> \`<@${eve.id}>\``
  const message = await write(text)
  const shown = '@\\*Eve\\* \\`x\\`'
  await feed.untilText(message.id, `${shown} @a member @\\@everyone #news #a room :tea: \`${shown}\``)
  await eve.client.users.updateMe({ web_presence: 'no_name' })
  await feed.untilText(message.id, '@a member @a member @\\@everyone #news #a room :tea: `@a member`')
  await eve.client.users.updateMe({ web_presence: 'name', alias: null })
})

test('FOLLOW-32: files have addresses below the room, the message has its page, and no author is named', async () => {
  const { head } = await feed.read()
  const upload = await putUpload(owner, news, note('hello', 'hello.txt'))
  const message = await owner.client.messages.create(news, { content: 'file', attachment_ids: [upload] })
  const [shown] = await feed.untilLogged(head, 1)
  assert.ok(shown?.state === 'there')
  const [file] = shown.files
  assert.ok(file !== undefined)
  assert.ok(compileInput(ShownFeedMessage)(shown))
  assert.deepEqual(
    { ...file, url: '' },
    { id: upload, filename: 'hello.txt', size: 5, content_type: 'text/plain', description: null, url: '' },
  )
  assert.ok(file.url.startsWith(`${server.url}${feed.path}/files/`))
  assert.equal(await (await fetch(file.url)).text(), 'hello')
  assert.ok((await (await fetch(shown.url)).text()).includes(`id="m-${message.id}"`))
  assert.equal(JSON.stringify(shown).includes(owner.id), false)
})

test('FOLLOW-33: a change of what authors show, or of the room on the web, is logged for all messages that it concerns', async () => {
  await owner.client.overwrites.upsert(space.id, news, {
    ...{ target_id: eve.id, target_type: OverwriteTarget.Member },
    ...{ allow_flags: Permission.SendMessages, deny_flags: 0 },
  })
  await feed.read()
  const [mine, hers] = [await write('mine'), await write('hers', eve)]
  await feed.untilText(hers.id, 'hers')
  const { head } = await feed.read()
  await eve.client.users.updateMe({ web_presence: 'none' })
  const [gone, ...others] = await feed.untilLogged(head, 1)
  assert.deepEqual([gone?.id, gone?.state, others.length], [hers.id, 'gone', 0])
  await eve.client.users.updateMe({ web_presence: 'name' })
  await feed.untilText(hers.id, 'hers')
  await owner.client.api(WebRooms).close(news)
  await owner.client.api(WebRooms).open(news)
  await feed.untilText(mine.id, undefined)
  await feed.untilText(hers.id, undefined)
})

test('FOLLOW-33: a message that was written while the log began is logged afterwards', async () => {
  await feed.read()
  const message = await write('early')
  await feed.untilText(message.id, 'early')
  await server.deps.database.execute(sql`delete from announcement_log where message_id = ${message.id}`)
  assert.deepEqual((await feed.read(0)).messages, [])
  await server.deps.database.execute(sql`
    select id from graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
      where task_identifier = 'note_missed_announcements'), run_at => now())`)
  await feed.untilText(message.id, 'early')
})

test('FOLLOW-33: the numbers of a log that begins again are above the earlier ones', async () => {
  const { head } = await feed.read()
  await write('one')
  const [one] = await feed.untilLogged(head, 1)
  await owner.client.rooms.update(space.id, news, { announces: false })
  await owner.client.rooms.update(space.id, news, { announces: true })
  const again = await feed.read()
  assert.ok(one !== undefined && again.head > one.number)
  assert.deepEqual((await feed.read(again.head)).messages, [])
})

test('FOLLOW-53: the page of the room says that rooms on other servers can follow it, until it has no announcements', async () => {
  const saysSo = async () => {
    const page = await fetch(`${server.url}/read/${space.id}/${news}`)
    return (await page.text()).includes('Rooms on other Foyer servers can follow this one')
  }
  assert.equal(await saysSo(), true)
  await owner.client.rooms.update(space.id, news, { announces: false })
  assert.equal(await saysSo(), false)
})
