import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Webhook } from '@foyer/protocol/webhooks'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { paint } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listHoldings } from '#test/storages.ts'
import { placeFile } from '#test/stored-files.ts'

const MAX_ATTEMPTS = 100
const POLL_MS = 100

let server: TestServer
let target: HttpTarget
let answer: RequestListener
let owner: Person
let space: TestSpace
let webhook: Webhook
let picture: Buffer

before(async () => {
  target = await startTarget((request, response) => answer(request, response))
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  webhook = await owner.client.webhooks.create(space.general, { name: 'Faces' })
  picture = await paint({ width: 600, height: 300 }).png().toBuffer()
})
after(() =>
  checkFilesAtRest(server)
    .finally(server.close)
    .finally(() => target.close()),
)
beforeEach(() => {
  target.requests.length = 0
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
})

const at = (path: string) => `http://127.0.0.1:${target.port}${path}`

/** Posts with the avatar's address. Returns the avatar that the message shows. */
async function avatarOf(address: string, by = webhook): Promise<string | null> {
  const { status } = await deliver(server, by, { content: 'hello', avatar_url: address })
  assert.equal(status, 204)
  const [message] = await owner.client.messages.list(space.general, { limit: 1 })
  return message?.author.avatar ?? null
}

/** Posts until the avatar is another one: a busy machine may take longer than a post waits. */
async function pictureOf(address: string, notThis: string | null = null, by = webhook): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const avatar = await avatarOf(address, by)
    if (avatar !== null && avatar !== notThis) return avatar
    await delay(POLL_MS)
  }
  assert.fail('the picture never came')
}

test('WEBHOOK-9: a picture is fetched once, encoded again to fit, and visible to every viewer', async () => {
  const first = await pictureOf(at('/face.png'))
  assert.deepEqual([await avatarOf(at('/face.png')), await avatarOf(at('/face.png'))], [first, first])
  assert.deepEqual(
    target.requests.map(({ path }) => path),
    ['/face.png'],
  )
  const [row] = await server.deps.database.query<object>(sql`
    select tenant_id, purpose, content_type, width, height from attachments where id = ${first}`)
  const expected = {
    tenant_id: space.id,
    purpose: 'avatar',
    content_type: 'image/png',
    width: 256,
    height: 128,
  }
  assert.deepEqual(row, expected)
  assert.equal((await server.fetch(`/attachments/${first}?stream=1`)).status, 200)
  await pictureOf(at('/other.png'), first)
  const other = await owner.client.webhooks.create(space.general, { name: 'Other' })
  await pictureOf(at('/face.png'), first, other)
})

test('WEBHOOK-9: a picture is fetched again after a day, and posted messages keep theirs', async () => {
  const before = await pictureOf(at('/daily.png'))
  await server.deps.database.execute(sql`
    update webhook_pictures set fetched_at = now() - interval '25 hours' where attachment_id = ${before}`)
  const after = await pictureOf(at('/daily.png'), before)
  assert.equal(target.requests.length, 2)
  await server.deps.database.execute(sql`
    update webhook_pictures set fetched_at = now() - interval '25 hours' where attachment_id = ${after}`)
  answer = (_request, response) => response.writeHead(404).end()
  assert.equal(await avatarOf(at('/daily.png')), after)
  assert.equal((await server.fetch(`/attachments/${before}?stream=1`)).status, 200)
})

test('WEBHOOK-9: a message without a valid picture is posted without it, which is not fetched again at once', async () => {
  const html: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  const lie: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end('<svg onload="alert(1)"/>')
  const huge: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1e9 }).end(picture)
  const inward: RequestListener = (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end()
  const circle: RequestListener = ({ url }, response) => response.writeHead(302, { location: url }).end()
  const broken: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 5000 })
    response.write(picture.subarray(0, 50), () => response.destroy())
  }
  const { ids } = await listHoldings(server, space.id)
  for (const [index, listener] of [html, lie, huge, inward, circle, broken].entries()) {
    answer = listener
    assert.equal(await avatarOf(at(`/bad${index}`)), null)
    const { length } = target.requests
    assert.equal(await avatarOf(at(`/bad${index}`)), null)
    assert.equal(target.requests.length, length)
  }
  for (const address of ['no address', 'javascript:alert(1)', 'http://10.0.0.1/', 'ftp://example.org/a', ''])
    assert.equal(await avatarOf(address), null)
  assert.deepEqual((await listHoldings(server, space.id)).ids, ids)
  await checkFiles(server)
})

test('WEBHOOK-9: a slow host is not waited for, and the next message has its picture', async () => {
  const released = Promise.withResolvers<void>()
  const fetched = Promise.withResolvers<void>()
  answer = async (_request, response) => {
    await released.promise
    response.once('close', fetched.resolve)
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  }
  assert.equal(await avatarOf(at('/slow.png')), null)
  assert.equal(target.requests.length, 1)
  released.resolve()
  await fetched.promise
  await pictureOf(at('/slow.png'))
  assert.equal(target.requests.length, 1)
})

test('WEBHOOK-9: simultaneous messages fetch once', async () => {
  const bodies = Array.from({ length: 5 }, (_, index) => ({
    content: `${index}`,
    avatar_url: at('/crowd.png'),
  }))
  await Promise.all(bodies.map((body) => deliver(server, webhook, body)))
  await pictureOf(at('/crowd.png'))
  assert.equal(target.requests.length, 1)
})

test('WEBHOOK-10: 500 pictures are kept besides those in use, and the least recently used are deleted first', async () => {
  const own = await owner.client.webhooks.update(webhook.id, {
    avatar: new File([new Uint8Array(picture)], 'own.png', { type: 'image/png' }),
  })
  await server.deps.database.execute(sql`
    update webhook_pictures set used_at = now() - interval '2 years' where attachment_id = ${own.avatar}`)
  const oldest = await placeFile(server, { tenantId: space.id, purpose: 'avatar', bytes: Buffer.from('old') })
  const others = await server.deps.database.execute<{ count: number }>(sql`
    with made as (
      insert into webhook_pictures (space_id, attachment_id, webhook_id, used_at)
      select ${space.id}, case when at = 0 then ${oldest.id} else gen_random_uuid() end, ${webhook.id},
        now() - make_interval(days => 400 - least(at, 300))
      from generate_series(0, 499) as at
      where at = 0 or at > (select count(*) from webhook_pictures where space_id = ${space.id}) - 1
      returning attachment_id
    )
    select count(*) from made`)
  assert.ok((others[0]?.count ?? 0) > 400)
  await pictureOf(at('/newest.png'), own.avatar)
  const left = await server.deps.database.query<{ attachment_id: string }>(sql`
    select attachment_id from webhook_pictures where space_id = ${space.id}`)
  const ids = new Set(left.map(({ attachment_id }) => attachment_id))
  assert.deepEqual([ids.size, ids.has(own.avatar ?? ''), ids.has(oldest.id)], [501, true, false])
  assert.equal((await server.fetch(`/attachments/${oldest.id}`)).status, 404)
  assert.equal((await server.fetch(`/attachments/${own.avatar}?stream=1`)).status, 200)
})
