import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { Administration } from '@foyer/sdk/api/administration'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { note, putUpload } from '#test/scenes/messages.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { monthOf } from './making/paths.ts'

let server: TestServer
let operator: Person
let owner: Person
let eve: Person
let space: TestSpace
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
  await owner.client.api(WebRooms).open(space.general)
})

const allow = (isAllowed: boolean) =>
  operator.client.api(Administration).updatePublicPages({ public_pages: isAllowed })
const thisMonth = () => monthOf(Date.now())
const say = (person: Person, content: string) => person.client.messages.create(space.general, { content })

/** Follows redirects, as browsers and crawlers do. */
async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, server.url), { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text(), url: answer.url }
}

const monthPath = () => `/read/${space.id}/${space.general}/${thisMonth()}`
const readMonth = () => read(monthPath())

test('WEBPAGE-1: a room on the web is read without an account: its space, its months, its messages', async () => {
  const { id } = await say(eve, 'Hello **web**')
  const home = await read(`/read/${space.id}`)
  assert.equal(home.status, 200)
  assert.match(home.text, new RegExp(`href="/read/${space.id}/${space.general}`))
  const room = await read(`/read/${space.id}/${space.general}`)
  assert.match(room.text, new RegExp(`/${thisMonth()}"`))
  const month = await readMonth()
  assert.equal(month.status, 200)
  assert.match(month.text, /Hello <strong>web<\/strong>/)
  assert.ok(month.text.includes(`id="m-${id}"`) && month.text.includes('eve'))
})

test('WEBPAGE-2: nothing is read while the server, the space or @everyone does not allow it, nor of other rooms', async () => {
  await say(eve, 'secret or not')
  const other = await owner.client.rooms.create(space.id, { name: 'other', type: 1 })
  const isGone = async () => {
    for (const path of [monthPath(), `/read/${space.id}`, `/read/${space.id}/${space.general}/feed.atom`]) {
      const { status, text } = await read(path)
      assert.ok(status === 404 && !text.includes('secret') && !text.includes('general'), path)
    }
  }
  assert.equal((await readMonth()).status, 200)
  assert.equal((await read(`/read/${space.id}/${other.id}`)).status, 404)
  await allow(false)
  await isGone()
  await allow(true)
  assert.equal((await readMonth()).status, 200)
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  await isGone()
  await owner.client.overwrites.delete(space.id, space.general, space.id)
  assert.equal((await readMonth()).status, 200)
  await owner.client.api(WebRooms).close(space.general)
  await isGone()
})

test('WEBPAGE-3: messages from before are not read, until the day that the owner announced', async () => {
  const fresh = await makeSpace(owner, [eve])
  await eve.client.messages.create(fresh.general, { content: 'from before' })
  await owner.client.api(WebRooms).open(fresh.general, { backwards: true })
  await eve.client.messages.create(fresh.general, { content: 'from now on' })
  const path = `/read/${fresh.id}/${fresh.general}/${thisMonth()}`
  const now = (await read(path)).text
  assert.ok(now.includes('from now on') && !now.includes('from before'))
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(
      sql`update web_rooms set whole_from = now() - interval '1 second' where space_id = ${fresh.id}`,
    )
  })
  await owner.client.rooms.update(fresh.id, fresh.general, { description: 'loads the room again' })
  assert.ok((await read(path)).text.includes('from before'))
})

test('WEBPAGE-4: people hide their name, or are left out, on all pages at once', async () => {
  await say(eve, 'my own words')
  await say(owner, `thanks <@${eve.id}>`)
  const page = async () => (await readMonth()).text
  const named = await page()
  assert.ok(named.includes('my own words') && named.includes('@eve'))
  await eve.client.users.updateMe({ web_presence: 'no_name' })
  const nameless = await page()
  assert.ok(nameless.includes('my own words') && nameless.includes('A member') && !nameless.includes('eve'))
  await eve.client.users.updateMe({ web_presence: 'none' })
  const without = await page()
  assert.ok(!without.includes('my own words') && !without.includes('eve') && without.includes('thanks'))
  await eve.client.users.updateMe({ web_presence: 'name' })
  assert.ok((await page()).includes('my own words'))
})

test('WEBPAGE-5: an edit, a deletion and a new name are on the next answer, also for who asks whether it changed', async () => {
  const message = await say(eve, 'first words')
  const before = await readMonth()
  const etag = before.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]+"$/)
  assert.equal(before.headers.get('cache-control'), 'no-cache')
  const again = await read(monthPath(), { 'if-none-match': etag })
  assert.equal(again.status, 304)
  await eve.client.messages.update(space.general, message.id, { content: 'other words' })
  const edited = await read(monthPath(), { 'if-none-match': etag })
  assert.ok(edited.status === 200 && edited.text.includes('other words'))
  await eve.client.messages.delete(space.general, message.id)
  const deleted = await read(monthPath(), { 'if-none-match': edited.headers.get('etag') ?? '' })
  assert.ok(deleted.status === 200 && !deleted.text.includes('other words'))
})

test('WEBPAGE-6: what people write is text: no script, no foreign link, no mark leaves its place', async () => {
  const hostile = [
    '<script>alert(1)</script>',
    '[a](javascript:alert(1))',
    '"><img src=x onerror=alert(1)>',
    '`</code><script>`',
    '```\n</pre><script>\n```',
    '<https://evil.example/"onmouseover="alert(1)>',
    'a\u001bb',
  ]
  for (const content of hostile) await say(eve, content)
  await owner.client.rooms.update(space.id, space.general, { description: '<b>bold</b>"\'' })
  await eve.client.users.updateMe({ alias: '<i>eve</i>' })
  for (const path of [monthPath(), `/read/${space.id}/${space.general}`, `/read/${space.id}`]) {
    const { text, headers } = await read(path)
    assert.doesNotMatch(text, /<script|<img src=x|href="javascript|<b>bold|<i>eve/)
    assert.ok(!text.includes('"onmouseover="') && !text.includes('\u001b'))
    const policy = headers.get('content-security-policy') ?? ''
    assert.ok(policy.startsWith("default-src 'none'") && !policy.includes('script-src'))
  }
  const { text } = await readMonth()
  assert.match(text, /rel="nofollow ugc noopener"/)
})

test('WEBPAGE-7: pages have one address each, are at most 30 kB, and lead to each other', async () => {
  for (let index = 0; index < 12; index += 1) await say(eve, `${index} ${'long words '.repeat(300)}`)
  await owner.client.rooms.update(space.id, space.general, { name: 'Über Bäume & Co' })
  const { url, text } = await read(`/read/${space.id}/${space.general}`)
  assert.ok(decodeURIComponent(url).endsWith(`${space.general}-über-bäume-co`))
  assert.ok(text.includes(`<link rel="canonical" href="${url}">`))
  const seen: string[] = []
  let path: string | undefined = monthPath()
  while (path !== undefined) {
    const page = await read(path)
    assert.ok(Buffer.byteLength(page.text) <= 30_000, `${Buffer.byteLength(page.text)} bytes`)
    seen.push(...[...page.text.matchAll(/<p>(\d+) long/g)].map(([, number = '']) => number))
    path = /<link rel="next" href="([^"]+)"/.exec(page.text)?.[1]
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 12 }, (_, index) => `${index}`),
  )
})

test('WEBPAGE-8: threads have pages, with their meaning for search engines', async () => {
  const thread = await startThread(eve, space.general, { title: 'How do I bake?', content: 'With flour?' })
  await owner.call('POST', `/api/rooms/${thread.id}/messages`, { content: 'With rye.' })
  const room = (await read(`/read/${space.id}/${space.general}`)).text
  assert.match(room, new RegExp(`/t/${thread.id}-how-do-i-bake"`))
  const { status, text } = await read(`/read/${space.id}/${space.general}/t/${thread.id}`)
  assert.equal(status, 200)
  assert.match(text, /itemtype="https:\/\/schema.org\/DiscussionForumPosting"/)
  for (const property of ['headline', 'author', 'datePublished', 'text', 'comment', 'url'])
    assert.ok(text.includes(`itemprop="${property}"`), property)
  assert.ok(text.includes('With flour?') && text.includes('With rye.'))
  await owner.client.api(WebRooms).close(space.general)
  assert.equal((await read(`/read/${space.id}/${space.general}/t/${thread.id}`)).status, 404)
})

test('WEBPAGE-9: feeds, sitemaps and robots.txt name what can be read, and nothing else', async () => {
  await say(eve, 'news & more')
  const feed = await read(`/read/${space.id}/${space.general}/feed.atom`)
  assert.match(feed.headers.get('content-type') ?? '', /^application\/atom\+xml/)
  assert.match(feed.text, /news &amp; more/)
  const map = await read('/sitemap.xml')
  const roomMap = /<loc>([^<]*sitemap\.xml)<\/loc>/.exec(
    map.text.split(space.general)[1] ? map.text : '',
  )?.[1]
  assert.ok(roomMap)
  assert.ok(
    (await read(`/read/${space.id}/${space.general}/sitemap.xml`)).text.includes(`/${thisMonth()}</loc>`),
  )
  assert.match((await read('/robots.txt')).text, /Allow: \/read\/[\s\S]*Sitemap: http/)
  await allow(false)
  assert.equal((await read('/sitemap.xml')).status, 404)
  assert.equal((await read('/robots.txt')).text, 'User-agent: *\nDisallow: /\n')
})

test('WEBPAGE-10: a file is read through its message only', async () => {
  const fileId = await putUpload(eve, space.general, note('contents'))
  const message = await eve.client.messages.create(space.general, {
    content: 'see',
    attachment_ids: [fileId],
  })
  const path = /href="(\/read\/[^"]*\/files\/[^"]*)"/.exec((await readMonth()).text)?.[1]
  assert.ok(path)
  const file = await read(path)
  assert.deepEqual([file.status, file.text], [200, 'contents'])
  assert.equal(file.headers.get('cache-control'), 'no-store')
  const elsewhere = await makeSpace(owner)
  assert.equal((await read(path.replaceAll(space.id, elsewhere.id))).status, 404)
  assert.equal((await read(path.replace(message.id, fileId))).status, 404)
  await eve.client.users.updateMe({ web_presence: 'none' })
  assert.equal((await read(path)).status, 404)
  await eve.client.users.updateMe({ web_presence: 'name' })
  await eve.client.messages.delete(space.general, message.id)
  assert.equal((await read(path)).status, 404)
})

test('WEBPAGE-11: addresses that nobody made are 404, and never a fault', async () => {
  const paths = [
    '/read/x',
    `/read/${space.id}x`,
    `/read/${space.id}/${space.general}/2026-13`,
    `/read/${space.id}/${space.general}/0000-00`,
    `/read/${space.id}/${space.general}/t/${space.id}`,
    `/read/${space.id}/${space.general}/files/a/b/c`,
    `/read/${space.id}/${space.general}/..%2f..`,
    `/read/${space.id.toUpperCase()}`,
  ]
  for (const path of paths) assert.equal((await read(path)).status, 404, path)
  const odd = await read(`${monthPath()}?after=x&utm_source=y`)
  assert.ok(odd.status === 200 && !odd.url.includes('utm_source'))
  const future = await read(`/read/${space.id}/${space.general}/2999-01`)
  assert.ok(future.status === 200 && future.text.includes('There is nothing to read here.'))
  const head = await fetch(new URL(monthPath(), server.url), { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('WEBPAGE-12: pages are compressed once, by Brotli, for who takes it', async () => {
  await say(eve, 'hello')
  const { url } = await readMonth()
  const { headers, body } = await rawAnswer(url, { 'accept-encoding': 'gzip, br' })
  assert.equal(headers['content-encoding'], 'br')
  assert.match(String(brotliDecompressSync(body)), /hello/)
  const plain = await rawAnswer(url, { 'accept-encoding': 'br;q=0, gzip' })
  assert.equal(plain.headers['content-encoding'], undefined)
})

/** Requests an address, and leaves its body as it is sent. */
async function rawAnswer(url: string, headers: Record<string, string>) {
  const [answer]: IncomingMessage[] = await once(get(url, { headers }), 'response')
  if (answer === undefined) throw new Error('no answer')
  return { headers: answer.headers, body: Buffer.concat(await answer.toArray()) }
}
