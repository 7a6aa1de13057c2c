import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { untilTexts } from '#test/scenes/announcements.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeDue, pageOf, reachable, startSource, untilSubscribed } from '#test/scenes/remote-follows.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { openAnnouncementRoom } from '#test/scenes/web-feeds.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let source: TestServer
let server: TestServer
let author: Person
let owner: Person
let member: Person
let outsider: Person
let target: TestSpace
let page: string
let news: string

before(async () => {
  ;[source, server] = await Promise.all([startSource(), startOwnServer(await reachable())])
  author = await createPerson(source, 'author')
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  outsider = await createPerson(server, 'outsider')
})
after(() => Promise.all([source.close(), server.close()]))
beforeEach(async () => {
  const origin = await makeSpace(author)
  news = await openAnnouncementRoom(author, origin.id)
  page = pageOf(source, origin.id, news)
  target = await makeSpace(owner, [member])
})

const ask = (person: Person, room = target.general) =>
  person.call('POST', `/api/rooms/${room}/remote-follows`, { url: page })

test('FOLLOW-40: only those who manage webhooks of the room can let it follow, and only a text room', async () => {
  const refusals = [await ask(outsider), await ask(member)].map(({ status, code }) => [status, code])
  assert.deepEqual(refusals, [
    [403, 'not_a_member'],
    [403, 'missing_permission'],
  ])
  const anonymous = await server.fetch(`/api/rooms/${target.general}/remote-follows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: page }),
  })
  assert.equal(anonymous.status, 401)
  const forum = await owner.client.rooms.create(target.id, { name: 'forum', type: RoomType.Forum })
  assert.equal((await ask(owner, forum.id)).code, 'unfit_follower')
  await giveRole(owner, target.id, [member], { permissions: Permission.ManageSpaceWebhooks })
  assert.equal((await ask(member)).status, 201)
})

const callbackOf = async (webhookId: string) => {
  const [row] = await server.deps.database.query<{
    callback_id: string
    feed_url: string
    calls: number
  }>(sql`
    select callback_id, feed_url, calls from remote_follows where webhook_id = ${webhookId}`)
  if (row === undefined) throw new Error('there is no follow')
  return { ...row, path: `/api/follow-callbacks/${row.callback_id}` }
}

test('FOLLOW-42: a call without the right signature changes nothing, and one for no follow is 410', async () => {
  const webhook = await owner.client.rooms.followRemote(target.general, page)
  await untilSubscribed(server, webhook)
  const { path, calls } = await callbackOf(webhook.id)
  const call = (headers: Record<string, string>, body = '{}', to = path) =>
    server.fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const forged = createHmac('sha256', 'guess').update('{}').digest('hex')
  const wrong = [{}, { 'x-hub-signature': `sha256=${forged}` }, { 'x-hub-signature': 'sha1=00' }]
  for (const headers of wrong) assert.equal((await call(headers)).status, 202)
  assert.equal((await callbackOf(webhook.id)).calls, calls)
  assert.equal((await call({}, 'x'.repeat(600_000))).status, 413)
  assert.equal((await call({}, '{}', `/api/follow-callbacks/${randomUUID()}`)).status, 410)
})

test('FOLLOW-42: a subscription is confirmed for its own feed only, and its end only without a follow', async () => {
  const webhook = await owner.client.rooms.followRemote(target.general, page)
  const { path, feed_url } = await callbackOf(webhook.id)
  const confirm = async (fields: Record<string, string>, to = path) => {
    const query = new URLSearchParams({ 'hub.challenge': '<b>1</b>', ...fields })
    const answer = await server.fetch(`${to}?${query}`)
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const right = await confirm({
    'hub.mode': 'subscribe',
    'hub.topic': feed_url,
    'hub.lease_seconds': '864000',
  })
  assert.deepEqual(right, { status: 200, type: 'text/plain; charset=utf-8', text: '<b>1</b>' })
  const other = { 'hub.mode': 'subscribe', 'hub.topic': `${feed_url}x` }
  assert.equal((await confirm(other)).status, 404)
  const unsubscribe = { 'hub.mode': 'unsubscribe', 'hub.topic': feed_url }
  assert.equal((await confirm(unsubscribe)).status, 404)
  assert.equal((await confirm(unsubscribe, `/api/follow-callbacks/${randomUUID()}`)).status, 200)
})

test('FOLLOW-42: without PUBLIC_URL the feed is read every five minutes', async () => {
  const hidden = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  try {
    const person = await createPerson(hidden, 'hidden')
    const space = await makeSpace(person)
    const webhook = await person.client.rooms.followRemote(space.general, page)
    const wait = async () => {
      const [row] = await hidden.deps.database.query<{ seconds: number | null }>(sql`
        select extract(epoch from due_at - now())::float8 as seconds from remote_follows
        where webhook_id = ${webhook.id} and taken_until is null`)
      return row?.seconds ?? 0
    }
    await until(async () => (await wait()) > 60, 'the feed was never read')
    assert.ok((await wait()) < 331)
    await author.client.messages.create(news, { content: 'by polling' })
    // The log is written within seconds; the next look comes early here.
    await until(async () => {
      await makeDue(hidden)
      const { length } = await hidden.deps.database.query(sql`select from message_copies`)
      return length === 1
    }, 'nothing was copied')
    await untilTexts(person, space.general, ['by polling'])
  } finally {
    await hidden.close()
  }
})
