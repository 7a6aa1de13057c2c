import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { listWritten, untilTexts } from '#test/scenes/announcements.ts'
import { answerOf, HostileSource } from '#test/scenes/hostile-source.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, untilServed } from '#test/scenes/remote-follows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let reader: Person
let target: TestSpace
let hostile: HostileSource

before(async () => {
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  reader = await createPerson(server, 'reader')
  hostile = await HostileSource.start()
})
after(async () => {
  await server.close()
  await hostile.close()
})
beforeEach(async () => {
  target = await makeSpace(reader)
  await server.deps.database.execute(sql`delete from remote_follows`)
  hostile.respond = (position) => answerOf(hostile.feedOf(), position)
})

const follow = (url = hostile.page) =>
  reader.call('POST', `/api/rooms/${target.general}/remote-follows`, { url })
const refusal = async (url?: string) => {
  const { status, code } = await follow(url)
  return [status, code]
}

test('FOLLOW-41: what is no feed of the room is refused, with an error that says why', async () => {
  const isNone = [400, 'not_an_announcement_feed']
  const spoiled: object[] = [
    { ...hostile.feedOf(), version: 2 },
    { ...hostile.feedOf(), hub: 'http://127.0.0.1:1/read/hub' },
    { ...hostile.feedOf(), url: `${hostile.page}/other.json` },
    { ...hostile.feedOf(), room: { id: newId(), name: 'news' } },
    { ...hostile.feedOf(), last_seq: -1 },
    { ...hostile.feedOf(), head: '12' },
    [],
  ]
  for (const feed of spoiled) {
    hostile.respond = () => ({ body: JSON.stringify(feed) })
    assert.deepEqual(await refusal(), isNone, JSON.stringify(feed))
  }
  hostile.respond = () => ({ body: '{' })
  assert.deepEqual(await refusal(), isNone)
  hostile.respond = () => ({
    status: 302,
    headers: { location: `${hostile.page}/announcements.json` },
    body: '',
  })
  assert.deepEqual(await refusal(), isNone)
  hostile.respond = () => ({ status: 404, body: '' })
  assert.deepEqual(await refusal(), isNone)
  hostile.respond = () => ({ body: ' '.repeat(3_000_000) })
  assert.deepEqual(await refusal(), [400, 'source_unreachable'])
  hostile.respond = () => ({ status: 503, body: '' })
  assert.deepEqual(await refusal(), [400, 'source_unreachable'])
  assert.deepEqual(await refusal(`http://127.0.0.1:1/read/${hostile.spaceId}/${hostile.roomId}`), [
    400,
    'source_unreachable',
  ])
  assert.deepEqual(await refusal(`http://10.1.2.3/read/${hostile.spaceId}/${hostile.roomId}`), [
    400,
    'source_unreachable',
  ])
})

test('FOLLOW-41: an address that is of no room, and one of this server, are refused', async () => {
  for (const url of [
    'nonsense',
    'ftp://a.example/read/1/2',
    hostile.origin,
    `${hostile.origin}/read/${hostile.spaceId}`,
  ])
    assert.deepEqual(await refusal(url), [400, 'invalid_source_url'], url)
  assert.deepEqual(await refusal(`http://me:pw@127.0.0.1/read/${hostile.spaceId}/${hostile.roomId}`), [
    400,
    'invalid_source_url',
  ])
  assert.deepEqual(await refusal(`${server.url}/read/${target.id}/${target.general}`), [400, 'own_server'])
  hostile.respond = () => ({ body: JSON.stringify({ ...hostile.feedOf(), server: server.url }) })
  assert.deepEqual(await refusal(), [400, 'own_server'])
})

test('FOLLOW-47: malformed messages, files of other hosts and unknown fields do not stop or reach the rest', async () => {
  const file = { id: newId(), filename: 'stolen.txt', size: 4, content_type: 'text/plain', description: null }
  const messages = [
    hostile.shown(11, 'first'),
    hostile.shown(12, 'x'.repeat(100_000)),
    { number: 13, id: newId(), state: 'there' },
    { nothing: true },
    hostile.shown(14, 'secret', {
      flags: 0,
      author_id: newId(),
      mention_everyone: true,
      webhook_id: newId(),
    }),
    hostile.shown(15, 'with file', { files: [{ ...file, url: `${server.url}/attachments/${newId()}` }] }),
    hostile.shown(16, 'nameless file', {
      files: [{ ...file, filename: '', url: `${hostile.origin}/attachments/1` }],
    }),
    hostile.shown(17, 'no type', {
      files: [{ ...file, content_type: 'a\nb', url: `${hostile.origin}/attachments/1` }],
    }),
    hostile.shown(18, 'from far', { seq: 2 ** 60 }),
    hostile.shown(19, '@everyone bye'),
  ]
  assert.equal((await follow()).status, 201)
  const space = { id: hostile.spaceId, name: 'Else\u202e\nwhere', icon: null }
  hostile.respond = (position) => answerOf({ ...hostile.feedOf(), space, messages, head: 19 }, position)
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
  assert.ok(copies.every(({ copy_of }) => copy_of?.space_name === 'Else where'))
})

test('FOLLOW-47: numbers that go back neither double copies nor bring older texts back', async () => {
  const one = hostile.shown(20, 'new')
  assert.equal((await follow()).status, 201)
  hostile.respond = (position) => answerOf(hostile.feedOf([one]), position)
  await makeDue(server)
  await untilTexts(reader, target.general, ['new'])
  // A turn that has not ended would undo that the follow is made due.
  await untilServed(server)
  hostile.respond = (position) =>
    answerOf({ ...hostile.feedOf([{ ...one, number: 15, content: 'old' }]), head: 25 }, position)
  await makeDue(server)
  await untilServed(server)
  await untilTexts(reader, target.general, ['new'])
  // A head below the position: the server went back to a backup, and is compared again after a pause.
  hostile.respond = (position) =>
    answerOf(hostile.feedOf([{ ...one, number: 5, content: 'restored' }]), position)
  const isRestored = async () => {
    // A turn that was running meanwhile would undo that the follow is made due.
    await makeDue(server)
    return (await listWritten(reader, target.general))[0]?.content === 'restored'
  }
  await until(isRestored, 'the text was never restored')
  await untilTexts(reader, target.general, ['restored'])
})

test('FOLLOW-48: a server that cannot be read is tried again later and later, is shown as failing, and ends after a month', async () => {
  const { body } = await follow()
  const failing = async () => (await reader.client.webhooks.listOfRoom(target.general))[0]?.source
  hostile.respond = () => ({ status: 302, headers: { location: '/' }, body: '' })
  await makeDue(server)
  await until(async () => typeof (await failing())?.failing_since === 'string', 'it never failed')
  hostile.respond = (position) => answerOf(hostile.feedOf([hostile.shown(11, 'back')]), position)
  await makeDue(server)
  await untilTexts(reader, target.general, ['back'])
  await until(async () => (await failing())?.failing_since === null, 'it fails for ever')
  hostile.respond = () => ({ status: 500, body: '' })
  await server.deps.database.execute(sql`
    update remote_follows set failing_since = now() - interval '31 days', due_at = now(), calls = calls + 1`)
  await until(async () => (await failing()) === null, 'it never ended')
  assert.ok(body)
  assert.equal((await listWritten(reader, target.general)).length, 1)
})
