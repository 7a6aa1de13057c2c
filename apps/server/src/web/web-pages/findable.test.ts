import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { firstIdAt } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { makeForum, makePost } from '#test/scenes/forums.ts'
import { note, putUpload } from '#test/scenes/messages.ts'
import type { Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startWebPages } from '#test/scenes/web-pages.ts'
import type { TestServer } from '#test/server.ts'
import { monthOf } from './making/paths.ts'

let server: TestServer
let owner: Person
let eve: Person
let space: TestSpace
before(async () => {
  ;({ server, owner, eve } = await startWebPages())
})
after(() => server.close())
beforeEach(async () => {
  await eve.client.users.updateMe({ web_presence: 'name' })
  space = await makeSpace(owner, [eve])
  await owner.client.api(WebRooms).open(space.general)
})

const roomPath = () => `/read/${space.id}/${space.general}`
const monthPath = () => `${roomPath()}/${monthOf(Date.now())}`
const say = (person: Person, content: string, more: object = {}) =>
  person.client.messages.create(space.general, { content, ...more })

async function read(path: string) {
  const answer = await fetch(new URL(path, server.url))
  const { status, headers, url } = answer
  return { status, robots: headers.get('x-robots-tag'), url, text: await answer.text() }
}

/** Stores a message of an earlier month, and lets the room be on the web since before it. */
async function sayEarlier(person: Person, month: string, content: string): Promise<string> {
  const created = new Date(`${month}-15T12:00:00Z`)
  const id = firstIdAt(created.getTime())
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into messages (tenant_id, channel_id, id, seq, author_id, type, content, created_at)
      select ${space.id}, ${space.general}, ${id}, coalesce(max(seq), 0) + 1000, ${person.id}, 0::smallint, ${content}, ${created}
      from messages where tenant_id = ${space.id} and channel_id = ${space.general}`)
    await transaction.query(
      sql`update web_rooms set since = '2020-01-01' where room_id = ${space.general} and since > '2020-01-01'`,
    )
  })
  await owner.client.rooms.update(space.id, space.general, {
    description: `loads the room again: ${content}`,
  })
  return id
}

test('WEBPAGE-14: feeds and replies lead to the page that begins with the message, and to its anchor', async () => {
  const first = await say(eve, 'the first words')
  for (let index = 0; index < 8; index += 1) await say(eve, `${index} ${'long words '.repeat(300)}`)
  const reply = await say(owner, 'a reply', { reference: { type: 0, message_id: first.id } })
  const near = await say(eve, 'a near reply', { reference: { type: 0, message_id: reply.id } })
  assert.ok(!(await read(monthPath())).text.includes('a reply'))
  const feed = await read(`${roomPath()}/feed.atom`)
  const link = new RegExp(`<link href="([^"]+)#m-${reply.id}"/>`).exec(feed.text)?.[1]
  assert.ok(link?.endsWith(`?at=${reply.id}`) === true)
  const page = await read(link)
  assert.equal(page.url, link, 'without another step')
  assert.match(page.text, new RegExp(`<main[^>]*>\\s*<h1>[^<]*</h1>\\s*<article id="m-${reply.id}"`))
  assert.equal(page.robots, 'noindex')
  assert.ok(page.text.includes(`<a href="#m-${reply.id}">`) && page.text.includes(near.id))
  const back = /<small><a href="([^"#]+)#m-([^"]+)" rel="nofollow">/.exec(page.text)
  assert.equal(back?.[2], first.id)
  assert.ok((await read(new URL(back?.[1] ?? '', page.url).href)).text.includes('the first words'))
})

test('WEBPAGE-14: only a message that can be read at an address has a page that begins with it', async () => {
  const message = await say(eve, 'hello')
  await say(owner, 'hello too')
  const thread = await startThread(eve, space.general, { title: 'Tea', content: 'with milk' })
  const { id: inThread } = await owner.client.messages.create(thread.id, { content: 'or sugar' })
  const own = `${roomPath()}/t/${thread.id}`
  assert.match((await read(`${own}?at=${inThread}`)).text, new RegExp(`</h1>\\s*<article id="m-${inThread}"`))
  const pages: [path: string, id: string][] = [
    [monthPath(), inThread],
    [monthPath(), space.id],
    [monthPath(), '019a0000-0000-7000-8000-000000000000'],
    [own, message.id],
    [`${roomPath()}/2020-01`, message.id],
  ]
  const isLeftOut = async (path: string, id: string) => {
    const { status, url } = await read(`${path}?at=${id}`)
    assert.ok(status === 200 && !url.includes('?'), `${url} for ${path} at ${id}`)
  }
  for (const [path, id] of pages) await isLeftOut(path, id)
  assert.ok((await read(`${monthPath()}?at=${message.id}`)).url.endsWith(message.id))
  assert.ok((await read(`${monthPath()}?at=${message.id}&after=${message.id}`)).url.includes('?after='))
  await eve.client.users.updateMe({ web_presence: 'none' })
  await isLeftOut(monthPath(), message.id)
  await eve.client.users.updateMe({ web_presence: 'name' })
  await eve.client.messages.delete(space.general, message.id)
  await isLeftOut(monthPath(), message.id)
})

test('WEBPAGE-15: a month is named only while a message of it can be read', async () => {
  await sayEarlier(eve, '2024-02', 'in February')
  const id = await sayEarlier(owner, '2024-03', 'in March')
  await sayEarlier(eve, '2024-04', 'in April')
  const named = async () => {
    const months = await Promise.all(
      ['', '/sitemap.xml'].map(async (part) =>
        (await read(`${roomPath()}${part}`)).text.match(/2024-\d\d(?=["<])/g),
      ),
    )
    assert.deepEqual(months[0], months[1], 'on the page as in the sitemap')
    return months[0]
  }
  assert.deepEqual(await named(), ['2024-04', '2024-03', '2024-02'])
  await eve.client.users.updateMe({ web_presence: 'none' })
  assert.deepEqual(await named(), ['2024-03'])
  await owner.client.messages.delete(space.general, id)
  assert.equal(await named(), null)
})

test('WEBPAGE-15: a post is called answered only while its answer can be read', async () => {
  const forum = await makeForum(owner, space)
  await owner.client.api(WebRooms).open(forum.id)
  const { id } = await makePost(owner, forum.id, 'How do I bake?')
  const answer = await eve.client.messages.create(id, { content: 'With rye.' })
  await owner.call('PUT', `/api/threads/${id}/solution`, { message_id: answer.id })
  const list = async () => (await read(`/read/${space.id}/${forum.id}`)).text
  assert.match(await list(), /answered/)
  await eve.client.users.updateMe({ web_presence: 'none' })
  const without = await list()
  assert.ok(without.includes('How do I bake?') && !without.includes('answered'))
})

test('WEBPAGE-9: a title is gone from a sitemap as soon as its author is left out', async () => {
  await startThread(eve, space.general, { title: 'My own title', content: 'mine' })
  const map = async () => (await read(`${roomPath()}/sitemap.xml`)).text
  assert.match(await map(), /my-own-title/)
  await eve.client.users.updateMe({ web_presence: 'none' })
  assert.doesNotMatch(await map(), /my-own-title/)
})

test('WEBPAGE-16: the owner keeps search engines from all that a room has, and lets them in again', async () => {
  const fileId = await putUpload(eve, space.general, note('contents'))
  await say(eve, 'see', { attachment_ids: [fileId] })
  const thread = await startThread(eve, space.general, { title: 'Tea', content: 'with milk' })
  const file = /href="(\/read\/[^"]*\/files\/[^"]*)"/.exec((await read(monthPath())).text)?.[1]
  assert.ok(file)
  const parts = [roomPath(), monthPath(), `${roomPath()}/t/${thread.id}`, `${roomPath()}/feed.atom`, file]
  const robots = async () => {
    const answers = []
    for (const path of [...parts, `/read/${space.id}`]) answers.push((await read(path)).robots)
    return new Set(answers)
  }
  assert.deepEqual(await robots(), new Set([null]))
  await owner.client.api(WebRooms).open(space.general, { is_indexed: false })
  assert.deepEqual(await robots(), new Set(['noindex']))
  assert.equal((await read(`${roomPath()}/sitemap.xml`)).status, 404)
  assert.ok(!(await read('/robots.txt')).text.includes(space.general))
  const other = await owner.client.rooms.create(space.id, { name: 'other', type: 1 })
  await owner.client.api(WebRooms).open(other.id)
  const home = await read(`/read/${space.id}`)
  assert.equal(home.robots, null)
  assert.match(home.text, new RegExp(`href="${roomPath()}[^"]*" rel="nofollow"`))
  await owner.client.api(WebRooms).open(space.general, { is_indexed: true })
  assert.deepEqual(await robots(), new Set([null]))
  assert.equal((await read(`${roomPath()}/sitemap.xml`)).status, 200)
})

test('WEBPAGE-5, WEBPAGE-16: a cache learns that search engines are kept out, although the page stays', async () => {
  const feed = () => fetch(new URL(`${roomPath()}/feed.atom`, server.url), { headers })
  const headers: Record<string, string> = {}
  const first = await feed()
  headers['if-none-match'] = first.headers.get('etag') ?? ''
  assert.equal((await feed()).status, 304)
  await owner.client.api(WebRooms).open(space.general, { is_indexed: false })
  const changed = await feed()
  assert.deepEqual([changed.status, changed.headers.get('x-robots-tag')], [200, 'noindex'])
  assert.equal(await changed.text(), await first.text())
  headers['if-none-match'] = changed.headers.get('etag') ?? ''
  const same = await feed()
  assert.deepEqual([same.status, same.headers.get('x-robots-tag')], [304, 'noindex'])
})

test('WEBPAGE-16: the index of sitemaps leaves out a room that search engines leave out', async () => {
  const isNamed = async () => (await read('/sitemap.xml')).text.includes(space.general)
  assert.equal(await isNamed(), true)
  await owner.client.api(WebRooms).open(space.general, { is_indexed: false })
  assert.equal(await isNamed(), false)
})

test('WEBPAGE-10: a file is read in ranges, and asked for again', async () => {
  const fileId = await putUpload(eve, space.general, note('contents'))
  await say(eve, 'see', { attachment_ids: [fileId] })
  const path = /href="(\/read\/[^"]*\/files\/[^"]*)"/.exec((await read(monthPath())).text)?.[1] ?? ''
  const ask = (headers: Record<string, string>, method = 'GET') =>
    fetch(new URL(path, server.url), { headers, method })
  const part = await ask({ range: 'bytes=3-5' })
  assert.deepEqual([part.status, await part.text()], [206, 'ten'])
  const head = await ask({}, 'HEAD')
  assert.equal(head.headers.get('content-length'), '8')
  assert.equal((await ask({ 'if-none-match': `"${fileId}"` })).status, 304)
  assert.equal((await ask({ range: 'bytes=9-' })).status, 416)
})
