import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AnnouncementFeed } from '@foyer/protocol/announcement-feed'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { listWritten, untilTexts } from '#test/scenes/announcements.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue } from '#test/scenes/remote-follows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

type Respond = (after: string | null) => { status?: number; headers?: Record<string, string>; body: string }

let server: TestServer
let reader: Person
let target: TestSpace
let hostile: HttpTarget
let respond: Respond
const [spaceId, roomId] = [newId(), newId()]

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  reader = await createPerson(server, 'reader')
  hostile = await startTarget((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://hostile')
    if (!pathname.endsWith('/announcements.json')) return void response.writeHead(404).end()
    const { status = 200, headers, body } = respond(searchParams.get('after'))
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
})
after(async () => {
  await server.close()
  await hostile.close()
})
beforeEach(async () => {
  target = await makeSpace(reader)
  await server.deps.database.execute(sql`delete from remote_follows`)
  respond = (position) => answerOf(feedOf(), position)
})

const originOf = () => `http://127.0.0.1:${hostile.port}`
const pageOf = () => `${originOf()}/read/${spaceId}/${roomId}`

/** A feed without faults, which the tests spoil. */
function feedOf(
  messages: AnnouncementFeed['messages'] = [],
  head = messages.at(-1)?.number ?? 10,
): AnnouncementFeed {
  return {
    ...{
      version: 1,
      server: originOf(),
      url: `${pageOf()}/announcements.json`,
      hub: `${originOf()}/read/hub`,
    },
    space: { id: spaceId, name: 'Elsewhere', icon: null },
    room: { id: roomId, name: 'news' },
    ...{ last_seq: 1, head, messages },
  }
}

function answerOf(feed: object, position: string | null): ReturnType<Respond> {
  return { body: JSON.stringify(position === null ? { ...feed, messages: undefined } : feed) }
}

function shown(number: number, content: string, changes: object = {}) {
  return {
    ...{
      number,
      id: newId(),
      state: 'there' as const,
      seq: number,
      content,
      flags: 0,
      embeds: [],
      components: [],
    },
    ...{ files: [], sent_at: new Date().toISOString(), edited_at: null, url: `${pageOf()}/m`, ...changes },
  }
}

const follow = (url = pageOf()) => reader.call('POST', `/api/rooms/${target.general}/remote-follows`, { url })
const refusal = async (url?: string) => {
  const { status, code } = await follow(url)
  return [status, code]
}

test('FOLLOW-41: what is no feed of the room is refused, with an error that says why', async () => {
  const isNone = [400, 'not_an_announcement_feed']
  const spoiled: object[] = [
    { ...feedOf(), version: 2 },
    { ...feedOf(), hub: 'http://127.0.0.1:1/read/hub' },
    { ...feedOf(), url: `${pageOf()}/other.json` },
    { ...feedOf(), room: { id: newId(), name: 'news' } },
    { ...feedOf(), last_seq: -1 },
    { ...feedOf(), head: '12' },
    [],
  ]
  for (const feed of spoiled) {
    respond = () => ({ body: JSON.stringify(feed) })
    assert.deepEqual(await refusal(), isNone, JSON.stringify(feed))
  }
  respond = () => ({ body: '{' })
  assert.deepEqual(await refusal(), isNone)
  respond = () => ({ status: 302, headers: { location: `${pageOf()}/announcements.json` }, body: '' })
  assert.deepEqual(await refusal(), isNone)
  respond = () => ({ status: 404, body: '' })
  assert.deepEqual(await refusal(), isNone)
  respond = () => ({ body: ' '.repeat(3_000_000) })
  assert.deepEqual(await refusal(), [400, 'source_unreachable'])
  respond = () => ({ status: 503, body: '' })
  assert.deepEqual(await refusal(), [400, 'source_unreachable'])
  assert.deepEqual(await refusal(`http://127.0.0.1:1/read/${spaceId}/${roomId}`), [400, 'source_unreachable'])
  assert.deepEqual(await refusal(`http://10.1.2.3/read/${spaceId}/${roomId}`), [400, 'source_unreachable'])
})

test('FOLLOW-41: an address that is of no room, and one of this server, are refused', async () => {
  for (const url of ['nonsense', 'ftp://a.example/read/1/2', originOf(), `${originOf()}/read/${spaceId}`])
    assert.deepEqual(await refusal(url), [400, 'invalid_source_url'], url)
  assert.deepEqual(await refusal(`http://me:pw@127.0.0.1/read/${spaceId}/${roomId}`), [
    400,
    'invalid_source_url',
  ])
  assert.deepEqual(await refusal(`${server.url}/read/${target.id}/${target.general}`), [400, 'own_server'])
  respond = () => ({ body: JSON.stringify({ ...feedOf(), server: server.url }) })
  assert.deepEqual(await refusal(), [400, 'own_server'])
})

test('FOLLOW-47: malformed messages, files of other hosts and unknown fields do not stop or reach the rest', async () => {
  const file = { id: newId(), filename: 'stolen.txt', size: 4, content_type: 'text/plain', description: null }
  const messages = [
    shown(11, 'first'),
    shown(12, 'x'.repeat(100_000)),
    { number: 13, id: newId(), state: 'there' },
    { nothing: true },
    shown(14, 'secret', { flags: 0, author_id: newId(), mention_everyone: true, webhook_id: newId() }),
    shown(15, 'with file', { files: [{ ...file, url: `${server.url}/attachments/${newId()}` }] }),
    shown(16, 'nameless file', { files: [{ ...file, filename: '', url: `${originOf()}/attachments/1` }] }),
    shown(17, 'no type', { files: [{ ...file, content_type: 'a\nb', url: `${originOf()}/attachments/1` }] }),
    shown(18, 'from far', { seq: 2 ** 60 }),
    shown(19, '@everyone bye'),
  ]
  assert.equal((await follow()).status, 201)
  const space = { id: spaceId, name: 'Else\u202e\nwhere', icon: null }
  respond = (position) => answerOf({ ...feedOf(), space, messages, head: 19 }, position)
  await makeDue(server)
  await until(async () => (await listWritten(reader, target.general)).length === 4, 'no copies came')
  const copies = await listWritten(reader, target.general)
  assert.deepEqual(
    copies.map(({ content }) => content.split('\n')[0]),
    ['first', 'secret', 'with file', '@everyone bye'],
  )
  assert.ok(copies[2]?.content.includes('stolen.txt'))
  assert.ok(copies.every(({ attachments }) => attachments.length === 0))
  assert.ok(copies.every((copy) => copy.mention_everyone === false && copy.author.username === 'Elsewhere'))
})

test('FOLLOW-47: numbers that go back neither double copies nor bring older texts back', async () => {
  const one = shown(20, 'new')
  assert.equal((await follow()).status, 201)
  respond = (position) => answerOf(feedOf([one]), position)
  await makeDue(server)
  await untilTexts(reader, target.general, ['new'])
  respond = (position) =>
    answerOf({ ...feedOf([{ ...one, number: 15, content: 'old' }]), head: 25 }, position)
  await makeDue(server)
  await untilServed()
  await untilTexts(reader, target.general, ['new'])
  // A head below the position: the server went back to a backup, and is compared again after a pause.
  respond = (position) => answerOf(feedOf([{ ...one, number: 5, content: 'restored' }]), position)
  await makeDue(server)
  await untilServed()
  await makeDue(server)
  await untilTexts(reader, target.general, ['restored'])
})

test('FOLLOW-47: a server that sends changes without end is read again after a pause', async () => {
  assert.equal((await follow()).status, 201)
  let count = 0
  respond = (position) => {
    count += 1
    const number = Number(position) + 1
    const gone = { number, id: newId(), state: 'gone' as const, seq: null }
    return answerOf(feedOf([gone], number + 1000), position)
  }
  await makeDue(server)
  await untilServed()
  assert.ok(count >= 40 && count < 50, `${count} pages were read`)
  const soon = await server.deps.database.query(
    sql`select from remote_follows where due_at < now() + interval '30 seconds' or read_to < 40`,
  )
  assert.equal(soon.length, 0)
})

/** Waits until no follow is due or taken. */
const untilServed = () =>
  until(async () => {
    const busy = await server.deps.database.query(
      sql`select from remote_follows where due_at <= now() or taken_until is not null`,
    )
    return busy.length === 0
  }, 'a follow was never served')

test('FOLLOW-48: a server that cannot be read is tried again later and later, is shown as failing, and ends after a month', async () => {
  const { body } = await follow()
  const failing = async () => (await reader.client.webhooks.listOfRoom(target.general))[0]?.source
  respond = () => ({ status: 302, headers: { location: '/' }, body: '' })
  await makeDue(server)
  await until(async () => typeof (await failing())?.failing_since === 'string', 'it never failed')
  respond = (position) => answerOf(feedOf([shown(11, 'back')]), position)
  await makeDue(server)
  await untilTexts(reader, target.general, ['back'])
  await until(async () => (await failing())?.failing_since === null, 'it fails for ever')
  respond = () => ({ status: 500, body: '' })
  await server.deps.database.execute(sql`
    update remote_follows set failing_since = now() - interval '31 days', due_at = now(), calls = calls + 1`)
  await until(async () => (await failing()) === null, 'it never ended')
  assert.ok(body)
  assert.equal((await listWritten(reader, target.general)).length, 1)
})

test('FOLLOW-49: of one follow, 30 messages in ten minutes are copied at once, and deletions do not wait', async () => {
  const messages = Array.from({ length: 40 }, (_each, index) => shown(11 + index, `${index}`))
  assert.equal((await follow()).status, 201)
  respond = (position) => answerOf(feedOf(messages), position)
  await makeDue(server)
  await until(async () => (await listWritten(reader, target.general)).length === 30, 'there were never 30')
  await untilServed()
  const [first, ...rest] = messages
  const gone = { number: 60, id: first?.id ?? '', state: 'gone' as const, seq: null }
  respond = (position) => answerOf(feedOf([...rest, gone]), position)
  await makeDue(server)
  await until(async () => (await listWritten(reader, target.general)).length === 29, 'it was never deleted')
  await server.deps.database.execute(sql`update remote_follows set copied_at = '{}'`)
  await makeDue(server)
  await untilTexts(
    reader,
    target.general,
    rest.map(({ content }) => content),
  )
})
