import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { withInvite } from './invite-page.ts'

let server: TestServer
let owner: Person
let spaceId: string
let roomId: string

before(async () => {
  server = await startTestServer({ publicUrl: 'https://chat.example.org', rateLimits: true })
  owner = await createPerson(server, 'owner')
  const { space, rooms } = await owner.client.spaces.create({
    name: 'Bar & "Grill" $&',
    description: '</head><script>bad()</script>',
  })
  spaceId = space.id
  roomId = rooms[1]?.id ?? ''
})
after(() => server.close())

async function pageOf(code: string, accept = '*/*'): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}/invite/${code}`, { headers: { accept } })
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', code)
  assert.match(response.headers.get('content-security-policy') ?? '', /script-src/)
  assert.equal(response.headers.get('cache-control'), 'no-cache')
  return { status: response.status, text: await response.text() }
}

test('INVITE-18: an invite link describes its space to link previews, whatever they accept', async () => {
  const { code } = await owner.client.invites.create(spaceId, roomId)
  for (const accept of ['*/*', 'text/html', 'application/json']) {
    const { status, text } = await pageOf(code, accept)
    assert.equal(status, 200)
    for (const expected of [
      '<title>Join Bar &amp; &quot;Grill&quot; $&amp;</title>',
      '<meta property="og:title" content="Join Bar &amp; &quot;Grill&quot; $&amp;" />',
      '<meta property="og:description" content="&lt;/head&gt;&lt;script&gt;bad()&lt;/script&gt; · 1 member" />',
      `<meta property="og:url" content="https://chat.example.org/invite/${code}" />`,
      '<meta property="og:image" content="https://chat.example.org/apple-touch-icon.png" />',
      '<noscript><h1>Join Bar &amp; &quot;Grill&quot; $&amp;</h1>',
    ])
      assert.ok(text.includes(expected), expected)
    assert.equal(text.includes('bad()</script>'), false)
    assert.equal(text.includes(owner.id), false)
  }
})

test('INVITE-18: an invite that has a name describes its space under the name, in letters of any case', async () => {
  await owner.client.invites.create(spaceId, roomId, { name: 'bar-and-grill' })
  for (const name of ['bar-and-grill', 'Bar-And-Grill']) {
    const { status, text } = await pageOf(name)
    assert.equal(status, 200)
    assert.ok(
      text.includes('<meta property="og:url" content="https://chat.example.org/invite/bar-and-grill" />'),
    )
  }
})

test('INVITE-18: the page is in the language of the space, or else of the reader', async () => {
  const { space, rooms } = await owner.client.spaces.create({ name: 'Berghütte' })
  const { code } = await owner.client.invites.create(space.id, rooms[1]?.id ?? '')
  const titleFor = async (language: string) => {
    const answer = await fetch(`${server.url}/invite/${code}`, { headers: { 'accept-language': language } })
    assert.match(answer.headers.get('vary') ?? '', /accept-language/)
    const text = await answer.text()
    const description = /property="og:description" content="([^"]*)"/.exec(text)?.[1]
    return [/<html lang="([^"]*)"/.exec(text)?.[1], /<title>(.*)<\/title>/.exec(text)?.[1], description]
  }
  const german = ['de', 'Berghütte beitreten', '1 Mitglied']
  const english = ['en', 'Join Berghütte', '1 member']
  assert.deepEqual(await titleFor('de-AT,de;q=0.9,en;q=0.8'), german)
  assert.deepEqual(await titleFor('fr,en;q=0.8'), english)
  await owner.client.spaces.update(space.id, { locale: 'de-CH' })
  assert.deepEqual(await titleFor('en-GB'), german)
  await owner.client.spaces.update(space.id, { locale: 'en' })
  assert.deepEqual(await titleFor('de'), english)
})

test('INVITE-18: the picture is that of the space', () => {
  const page = '<head><title>Foyer</title></head>'
  const space = { id: spaceId, name: 'Bar', description: null, icon: 'the-icon', banner: null, locale: null }
  const invite = { code: 'abc', space, member_count: 12 }
  const text = withInvite(page, invite, { origin: 'https://chat.example.org', languages: undefined })
  assert.ok(
    text.includes('<meta property="og:image" content="https://chat.example.org/attachments/the-icon" />'),
  )
  assert.ok(text.includes('<meta property="og:description" content="12 members" />'))
})

test('INVITE-18: an invalid code, and a lookup past the limit, show the unchanged page', async () => {
  const { code } = await owner.client.invites.create(spaceId, roomId)
  for (const wrong of ['nothing', 'x'.repeat(65), "'--", '%25'])
    assert.equal((await pageOf(wrong)).text.includes('og:'), false, wrong)
  for (let count = 0; count < 60; count += 1) await pageOf(`code${count}`)
  const { status, text } = await pageOf(code)
  assert.deepEqual([status, text.includes('og:')], [200, false])
})
