import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { Client } from '@foyer/sdk/client'
import { signIn } from '#test/scenes/accounts.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { serveMade, startWebPages } from '#test/scenes/web-pages.ts'
import { TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { monthOf } from './making/paths.ts'
import { findReadableRoom } from './readable.ts'

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
})

const open = () => owner.client.api(WebRooms).open(space.general)
const roomPath = () => `/read/${space.id}/${space.general}`
const monthPath = () => `${roomPath()}/${monthOf(Date.now())}`
const say = (person: Person, content: string) => person.client.messages.create(space.general, { content })
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, server.url), { headers, redirect: 'manual' })

test('WEBPAGE-3: a thread from before has no page, not even one that leads to its title', async () => {
  const old = await startThread(eve, space.general, { title: 'From before', content: 'old' })
  await open()
  const fresh = await startThread(eve, space.general, { title: 'From now on', content: 'new' })
  await owner.call('POST', `/api/rooms/${old.id}/messages`, { content: 'later' })
  assert.equal((await ask(`${roomPath()}/t/${fresh.id}`)).status, 301)
  const { status, headers } = await ask(`${roomPath()}/t/${old.id}`)
  assert.deepEqual([status, headers.get('location')], [404, null])
})

test('WEBPAGE-4: the thread of a person who is left out has no page, for the title is theirs', async () => {
  await open()
  const thread = await startThread(eve, space.general, { title: 'My own title', content: 'mine' })
  await owner.call('POST', `/api/rooms/${thread.id}/messages`, { content: 'an answer' })
  const path = `${roomPath()}/t/${thread.id}`
  const location = (await ask(path)).headers.get('location') ?? ''
  assert.equal((await ask(location)).status, 200)
  await eve.client.users.updateMe({ web_presence: 'none' })
  for (const address of [path, location]) {
    const answer = await ask(address)
    assert.deepEqual([answer.status, answer.headers.get('location')], [404, null])
    assert.ok(!(await answer.text()).includes('title is'))
  }
})

test('WEBPAGE-4: only members are named in mentions', async () => {
  await open()
  const stranger = await createPerson(server, 'stranger')
  await say(owner, `not here: <@${stranger.id}>, here: <@${eve.id}>`)
  const page = await (await fetch(new URL(monthPath(), server.url))).text()
  assert.ok(page.includes('@eve') && !page.includes('stranger'))
})

test('WEBPAGE-5: a request after a change does not share a page that was begun before', async () => {
  await open()
  const begun: (() => void)[] = []
  const textOf = async () => {
    const text = `page ${begun.length}`
    await new Promise<void>((resolve) => begun.push(resolve))
    return text
  }
  const app = serveMade(server, textOf, { shown: [space.general] })
  const first = app.inject('/page')
  while (begun.length < 1) await new Promise(setImmediate)
  await say(owner, 'a change')
  const second = app.inject('/page')
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
  begun[0]?.()
  await Promise.race([second, until(async () => begun.length === 2, 'no second page was begun')])
  begun[1]?.()
  assert.deepEqual([(await first).body, (await second).body], ['page 0', 'page 1'])
  await app.close()
})

test('WEBPAGE-5: a page whose room is closed while it is made is not sent', async () => {
  await open()
  const find = async () => {
    const readable = await findReadableRoom(server.deps, space.id, space.general)
    return readable && { kind: 'feed' as const, readable }
  }
  const closeMeanwhile = async () => {
    await owner.client.api(WebRooms).close(space.general)
    await say(eve, 'after it was closed')
    return 'after it was closed'
  }
  const app = serveMade(server, closeMeanwhile, { find })
  const { statusCode, body } = await app.inject('/closed')
  assert.deepEqual([statusCode, body.includes('after it')], [404, false])
  await app.close()
})

test('WEBPAGE-5: compressed pages have ETags of their own', async () => {
  await open()
  await say(owner, 'hello')
  const canonical = (await ask(monthPath())).headers.get('location') ?? ''
  const etagOf = async (encoding: string) =>
    (await ask(canonical, { 'accept-encoding': encoding })).headers.get('etag') ?? ''
  const [plain, compressed] = [await etagOf('identity'), await etagOf('br')]
  assert.notEqual(plain, compressed)
  const again = (encoding: string, etag: string) =>
    ask(canonical, { 'accept-encoding': encoding, 'if-none-match': etag })
  assert.equal((await again('br', compressed)).status, 304)
  assert.equal((await again('identity', plain)).status, 304)
  assert.equal((await again('identity', compressed)).status, 200)
})

test('WEBPAGE-11: made-up addresses lead to a page and are not kept', async () => {
  await open()
  const { id } = await say(eve, 'hello')
  await ask(monthPath())
  const kept = server.deps.webPages.bytes
  for (let index = 0; index < 200; index += 1) {
    const { status } = await ask(`/robots.txt?${'x'.repeat(2000)}${index}`)
    assert.equal(status, 301)
  }
  assert.equal((await ask('/sitemap.xml?a=b')).headers.get('location'), '/sitemap.xml')
  assert.ok(server.deps.webPages.bytes < kept + 20_000)
  const made = id.replace(/.{4}$/, '0000')
  const { status, headers } = await ask(`${monthPath()}?after=${made}`)
  assert.equal(status, 301)
  assert.ok(!headers.get('location')?.includes('after'))
})

test('WEBPAGE-4: a deleted account that was left out stays left out', async () => {
  await open()
  const tokens = await signIn(server, 'leaver')
  const client = new Client({ baseUrl: server.url, tokens })
  const leaver = { ...eve, id: tokens.user.id, client }
  const { code } = await owner.client.invites.create(space.id, space.general)
  await leaver.client.invites.join(code)
  await say(leaver, 'never on the web')
  await leaver.client.users.updateMe({ web_presence: 'none' })
  await leaver.client.users.deleteMe({ password: TEST_PASSWORD })
  const { url } = await fetch(new URL(monthPath(), server.url))
  assert.ok(!(await (await fetch(url)).text()).includes('never on the web'))
})

test('WEBPAGE-6: spoilers are hidden in previews and feeds', async () => {
  await open()
  await say(eve, 'It was ||the gardener|| **really**')
  const month = await (await fetch(new URL(monthPath(), server.url))).text()
  const feed = await (await fetch(new URL(`${roomPath()}/feed.atom`, server.url))).text()
  assert.match(month, /name="description" content="It was Spoiler really"/)
  assert.match(feed, /<title>It was Spoiler really<\/title>/)
  assert.match(feed, /\[Spoiler\]/)
  assert.doesNotMatch(feed, /gardener/)
})
