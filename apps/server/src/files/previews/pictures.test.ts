import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFiles, checkFilesAtRest } from '#test/file-consistency.ts'
import {
  eventually,
  messageWhen,
  type PreviewServer,
  previewsDone,
  startPreviewServer,
} from '#test/outside/preview-server.ts'
import { answering, pageOf, serving } from '#test/scenes/pages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { animated, paint } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { listHoldings } from '#test/storages.ts'
import { evictPictures } from './evictions.ts'
import { previewSweepJobs } from './jobs.ts'

let host: PreviewServer
let owner: Person
let space: TestSpace
let wide: Buffer

before(async () => {
  host = await startPreviewServer()
  owner = await createPerson(host.server, 'owner')
  space = await makeSpace(owner)
  wide = await paint({ width: 2000, height: 1000 }).png().toBuffer()
})
after(() => checkFilesAtRest(host.server).finally(host.close))

const pageWith = (image: string, more = '') =>
  serving(pageOf(`<title>Page</title><meta property="og:image" content="${image}">${more}`))
const asPng = (bytes: Buffer) => serving(bytes, 'image/png')

async function previewed(content: string, roomId = space.general): Promise<Message> {
  const { id } = await owner.client.messages.create(roomId, { content })
  return messageWhen(owner, roomId, id, ({ embeds }) => embeds.length > 0)
}

const pictureIn = ({ embeds: [embed] }: Message) => embed?.image ?? embed?.thumbnail
const iconOf = ([embed]: Message['embeds']) => embed?.author?.icon?.attachment_id ?? null
const statusOf = async (id: string | null | undefined) => {
  const response = await host.server.fetch(`/attachments/${id}?stream=1`)
  await response.body?.cancel()
  return response.status
}

/** Waits until the message's use of a picture is recorded. */
async function isNoted({ id }: Message): Promise<void> {
  await eventually(async () => {
    const [use] = await host.server.deps.database.query(sql`
      select message_id from preview_picture_uses where message_id = ${id}`)
    return use
  })
}

/** Runs the sweep as if a day had passed. */
async function sweep(): Promise<void> {
  const { database } = host.server.deps
  await database.execute(sql`update preview_pictures set check_at = now() - interval '1 second'`)
  await previewSweepJobs({ database }).handlers.sweep_previews?.({})
}

test('PREVIEW-5: pictures are copied, scaled to fit, and available to every viewer', async () => {
  host.answer(answering({ '/page': pageWith('/a.png'), '/a.png': asPng(wide) }))
  const message = await previewed(host.at('/page'))
  const [embed] = message.embeds
  const { attachment_id, ...image } = embed?.image ?? { attachment_id: null }
  assert.deepEqual(image, { url: host.at('/a.png'), content_type: 'image/png', width: 1280, height: 640 })
  assert.equal(embed?.thumbnail, null)
  assert.equal(await statusOf(attachment_id), 200)
  assert.deepEqual(message.attachments, [])
})

test('PREVIEW-5: a space uses one copy for a day; another space has its own', async () => {
  host.answer(answering({ '/one': pageWith('/b.png'), '/two': pageWith('/b.png'), '/b.png': asPng(wide) }))
  const one = pictureIn(await previewed(host.at('/one')))
  assert.equal(pictureIn(await previewed(host.at('/two')))?.attachment_id, one?.attachment_id)
  assert.equal(host.asked().filter((path) => path === '/b.png').length, 1)
  const other = await makeSpace(owner)
  const elsewhere = pictureIn(await previewed(host.at('/one'), other.general))
  assert.notEqual(elsewhere?.attachment_id, one?.attachment_id)
  await host.server.deps.database.execute(sql`
    update preview_pictures set created_at = now() - interval '25 hours' where attachment_id = ${one?.attachment_id}`)
  assert.notEqual(pictureIn(await previewed(host.at('/two')))?.attachment_id, one?.attachment_id)
})

test('PREVIEW-5: small and tall pictures are beside the text; a linked picture is shown alone', async () => {
  const high = await paint({ width: 500, height: 900 }).png().toBuffer()
  const small = await paint({ width: 120, height: 80 }).png().toBuffer()
  const gif = Buffer.from(await (await animated('gif')).arrayBuffer())
  const large = '<meta name="twitter:card" content="summary_large_image">'
  host.answer(
    answering({
      '/high': pageWith('/high.png', large),
      '/small': pageWith('/small.png'),
      '/card': pageWith('/small.png', large),
      '/high.png': asPng(high),
      '/small.png': asPng(small),
      '/moving.gif': serving(gif, 'image/gif'),
    }),
  )
  const looks = []
  for (const path of ['/high', '/small', '/card', '/moving.gif']) {
    const [embed] = (await previewed(host.at(path))).embeds
    looks.push([embed?.type, embed?.image?.width, embed?.thumbnail?.width])
  }
  assert.deepEqual(looks, [
    ['link', undefined, 500],
    ['link', undefined, 120],
    ['link', 120, undefined],
    ['image', 8, undefined],
  ])
})

test('PREVIEW-5: a picture that cannot be copied is left out, and nothing of it is kept', async () => {
  const { ids } = await listHoldings(host.server, space.id)
  host.answer(
    answering({
      '/missing': pageWith('/none.png'),
      '/svg': pageWith('/a.svg'),
      '/lie': pageWith('/lie.png'),
      '/inward': pageWith('http://10.0.0.1/a.png'),
      '/huge': pageWith('/huge.png'),
      '/a.svg': serving('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'),
      '/lie.png': asPng(Buffer.from('<script>alert(1)</script>')),
      '/huge.png': (_request, response) =>
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': 2 ** 30 }).end(wide),
    }),
  )
  for (const path of ['/missing', '/svg', '/lie', '/inward', '/huge']) {
    const message = await previewed(host.at(path))
    assert.deepEqual([message.embeds[0]?.title, pictureIn(message)], ['Page', null], path)
  }
  const bare = await owner.client.messages.create(space.general, { content: host.at('/lie.png') })
  await previewed(host.at('/missing'))
  await previewsDone(host.server)
  assert.deepEqual((await owner.client.messages.get(space.general, bare.id)).embeds, [])
  assert.deepEqual((await listHoldings(host.server, space.id)).ids, ids)
  await checkFiles(host.server)
})

test('PREVIEW-5: pictures of webhooks are copied, too, and keep their address if they cannot be', async () => {
  host.answer(answering({ '/own.png': asPng(wide) }))
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Painter' })
  const embeds = [
    { title: 'Both', image: { url: host.at('/own.png') }, thumbnail: { url: host.at('/none.png') } },
    { image: { url: host.at('/own.png') } },
  ]
  const { body } = await deliver(host.server, webhook, { embeds }, { path: '?wait=true' })
  const { id }: Message = JSON.parse(JSON.stringify(body))
  const message = await messageWhen(owner, space.general, id, (now) => pictureIn(now)?.attachment_id !== null)
  const [both, image] = message.embeds
  assert.equal(await statusOf(both?.image?.attachment_id), 200)
  assert.deepEqual([both?.title, both?.image?.width, both?.image], ['Both', 1280, image?.image])
  const { thumbnail } = both ?? {}
  assert.deepEqual([thumbnail?.url, thumbnail?.attachment_id], [host.at('/none.png'), null])
})

test('PREVIEW-5: icons of authors and footers are copied after all other pictures', async () => {
  host.answer(answering({ '/icon.png': asPng(wide), '/foot.png': asPng(wide), '/large.png': asPng(wide) }))
  const webhook = await owner.client.webhooks.create(space.general, { name: 'Builder' })
  const author = { name: 'ada', icon_url: host.at('/icon.png') }
  const card = (index: number) => ({ author, image: { url: host.at(`/large.png?${index}`) } })
  const show = async (...embeds: object[]) => {
    const { body } = await deliver(host.server, webhook, { embeds }, { path: '?wait=true' })
    const message: Message = JSON.parse(JSON.stringify(body))
    return message
  }
  const crowded = await show(...Array.from({ length: 10 }, (_, index) => card(index)))
  const { id } = await show({ author, footer: { text: 'CI', icon_url: host.at('/foot.png') } })
  const message = await messageWhen(owner, space.general, id, ({ embeds }) => iconOf(embeds) !== null)
  assert.equal(await statusOf(iconOf(message.embeds)), 200)
  assert.equal(await statusOf(message.embeds[0]?.footer?.icon?.attachment_id), 200)
  assert.equal(message.embeds[0]?.author?.icon_url, host.at('/icon.png'))
  await messageWhen(
    owner,
    space.general,
    crowded.id,
    ({ embeds: [card] }) => card?.image?.attachment_id !== null,
  )
  await previewsDone(host.server)
  const { embeds } = await owner.client.messages.get(space.general, crowded.id)
  assert.deepEqual(
    embeds.map((embed) => [embed.image?.attachment_id === null, iconOf([embed])]),
    embeds.map(() => [false, null]),
  )
})

test('PREVIEW-9: a picture stays while a message shows it, including forwards, and is deleted afterwards', async () => {
  host.answer(
    answering({ '/page': pageWith('/kept.png'), '/kept.png': asPng(wide), '/again': pageWith('/kept.png') }),
  )
  const other = await makeSpace(owner)
  const [first, second] = [await previewed(host.at('/page?1')), await previewed(host.at('/again'))]
  const id = pictureIn(first)?.attachment_id
  const reference = { type: 1, message_id: first.id, room_id: space.general }
  const forward = await owner.client.messages.create(other.general, { reference })
  await isNoted(forward)
  await owner.client.messages.delete(space.general, first.id)
  await sweep()
  assert.equal(await statusOf(id), 200)
  await owner.client.messages.update(space.general, second.id, { content: 'no link any more' })
  await messageWhen(owner, space.general, second.id, ({ embeds }) => embeds.length === 0)
  await sweep()
  assert.equal(await statusOf(id), 200)
  await owner.client.messages.delete(other.general, forward.id)
  await sweep()
  assert.equal(await statusOf(id), 404)
  await checkFiles(host.server)
})

test('PREVIEW-9: a picture that is about to be shown is not swept', async () => {
  host.answer(
    answering({ '/page': pageWith('/held.png'), '/held.png': asPng(wide), '/more': pageWith('/held.png') }),
  )
  const message = await previewed(host.at('/page?2'))
  await owner.client.messages.delete(space.general, message.id)
  const id = pictureIn(message)?.attachment_id
  const { database } = host.server.deps
  await database.execute(sql`update preview_pictures set check_at = now() where attachment_id = ${id}`)
  const again = await previewed(host.at('/more'))
  assert.equal(pictureIn(again)?.attachment_id, id)
  await previewSweepJobs({ database }).handlers.sweep_previews?.({})
  assert.equal(await statusOf(id), 200)
})

for (const [name, limitBy] of [
  ['number', () => ({ pictures: 1, bytes: 1e9 })],
  ['bytes', (bytes: number) => ({ pictures: 10, bytes: bytes + 10 })],
] as const) {
  test(`PREVIEW-9: pictures over a space’s limit by ${name} are removed, oldest first, from all messages that show them`, async () => {
    const own = await makeSpace(owner)
    host.answer(
      answering({
        '/old': pageWith('/old.png'),
        '/new': pageWith('/new.png'),
        '/old.png': asPng(wide),
        '/new.png': asPng(wide),
      }),
    )
    const here = await previewed(host.at('/old'), own.general)
    const there = await previewed(host.at('/old'), own.lounge)
    const reference = { type: 1, message_id: here.id, room_id: own.general }
    const forward = await owner.client.messages.create(own.lounge, { reference })
    const kept = await previewed(host.at('/new'), own.general)
    await isNoted(forward)
    const oldId = pictureIn(here)?.attachment_id
    const { database } = host.server.deps
    const [size] = await database.query<{ bytes: number }>(sql`
    select size_bytes as bytes from preview_pictures where attachment_id = ${pictureIn(kept)?.attachment_id}`)
    await evictPictures(database, own.id, { pictures: 2, bytes: 2 * (size?.bytes ?? 0) + 10_000 })
    assert.equal(await statusOf(oldId), 200)
    await evictPictures(database, own.id, limitBy(size?.bytes ?? 0))
    for (const { room_id, id } of [here, there]) {
      const { embeds } = await owner.client.messages.get(room_id ?? '', id)
      assert.deepEqual([embeds[0]?.title, embeds[0]?.image, embeds[0]?.thumbnail], ['Page', null, null])
    }
    const { snapshot } = await owner.client.messages.get(own.lounge, forward.id)
    assert.equal(snapshot?.embeds[0]?.image, null)
    assert.equal(await statusOf(oldId), 404)
    assert.equal(await statusOf(pictureIn(kept)?.attachment_id), 200)
    await checkFiles(host.server)
  })
}
