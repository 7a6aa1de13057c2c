import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import sharp from 'sharp'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { animated, bomb, cutShort, fileOf, formOf, jpegWithExif, png } from '#test/scenes/pictures.ts'
import { methodsOf, nouns } from '#test/scenes/space-images.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const NO_CHANGE = { ids: [], usedBytes: 0 }

let server: TestServer
let owner: Person
let guest: Person
let picture: File
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  picture = await png()
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
})

const published = async (event: string) =>
  (await listJournal(server, topicOf.space(space.id))).filter(({ name }) => name.startsWith(event))

async function download(id: string) {
  const response = await server.fetch(`/attachments/${id}?stream=1`)
  assert.equal(response.status, 200)
  return sharp(Buffer.from(await response.arrayBuffer()), { animated: true }).metadata()
}

for (const noun of nouns) {
  const { kind, one, event, pathIn, side } = noun
  const create = (...fields: [string, string | File][]) =>
    owner.call('POST', pathIn(space.id), formOf(...fields))

  test(`EMOJI-1: ${one} is listed for members, and sent to the space`, async () => {
    await addStorage(server, space.id)
    const made = await methodsOf(owner, noun).create(space.id, { name: 'Tea_1', image: picture })
    const { id, attachment_id, created_at, ...rest } = made
    assert.deepEqual(rest, { space_id: space.id, name: 'Tea_1', creator_id: owner.id, animated: false })
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.deepEqual(await methodsOf(guest, noun).list(space.id), [made])
    assert.deepEqual(await published(event), [{ name: `${event}_CREATE`, audience: 0, data: made }])
    assert.deepEqual((await listHoldings(server, space.id)).ids, [attachment_id])
    assert.notEqual(id, attachment_id)
  })

  test(`EMOJI-3: ${one} is created from a name and a file, in any order and in a field of any name`, async () => {
    await addStorage(server, space.id)
    assert.equal((await create(['image', picture], ['name', 'after'])).status, 200)
    assert.equal((await create(['name', 'before'], ['file', picture])).status, 200)
    assert.equal((await create(['more', 'text'], ['name', 'among'], ['emoji', picture])).status, 200)
    const names = (await methodsOf(owner, noun).list(space.id)).map(({ name }) => name)
    assert.deepEqual(names, ['after', 'before', 'among'])
  })

  test(`EMOJI-3: an invalid form for ${one} is 400, and nothing is kept`, async () => {
    await addStorage(server, space.id)
    for (const [code, fields] of [
      ['missing_image', [['name', 'nothing']]],
      [
        'missing_image',
        [
          ['name', 'text'],
          ['image', 'tea'],
        ],
      ],
      [
        'missing_image',
        [
          ['name', 'two'],
          ['image', picture],
          ['image', picture],
        ],
      ],
      [
        'missing_image',
        [
          ['name', 'two'],
          ['image', picture],
          ['other', picture],
        ],
      ],
      ['invalid_request', [['image', picture]]],
      ['invalid_request', [['name', picture]]],
      [
        'invalid_request',
        [
          ['name', 'one'],
          ['name', 'two'],
          ['image', picture],
        ],
      ],
    ] as const) {
      const answer = await create(...fields.map(([name, value]) => pair(name, value)))
      assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(fields))
    }
    const json = await owner.call('POST', pathIn(space.id), { name: 'json' })
    assert.deepEqual([json.status, json.code], [400, 'invalid_request'])
    assert.deepEqual([await published(event), await listHoldings(server, space.id)], [[], NO_CHANGE])
  })

  test(`EMOJI-3: a file that is not a picture is no ${kind}, and nothing is kept`, async () => {
    await addStorage(server, space.id)
    for (const [code, file] of [
      ['invalid_image', fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml')],
      ['invalid_image', fileOf('<!doctype html><script>1</script>', 'a.png', 'image/png')],
      ['invalid_image', fileOf('', 'a.png', 'image/png')],
      ['invalid_image', await cutShort(await png({ width: 400, height: 400 }))],
      ['invalid_image', fileOf(Buffer.alloc(MAX_IMAGE_BYTES + 1), 'a.png', 'image/png')],
      ['image_too_complex', bomb({ width: 50_000, height: 50_000 })],
    ] as const) {
      const answer = await create(['name', 'bad'], ['image', file])
      assert.deepEqual([answer.status, answer.code], [400, code])
    }
    assert.deepEqual([await published(event), await listHoldings(server, space.id)], [[], NO_CHANGE])
  })

  test(`EMOJI-4: the picture of ${one} fits ${side}×${side}, has no metadata, and stays animated`, async () => {
    await addStorage(server, space.id)
    const make = (name: string, image: File) => methodsOf(owner, noun).create(space.id, { name, image })
    const large = await download(
      (await make('large', await png({ width: 2000, height: 1000 }))).attachment_id,
    )
    assert.deepEqual([large.width, large.height], [side, side / 2])
    const photo = await download((await make('photo', await jpegWithExif())).attachment_id)
    assert.deepEqual([photo.width, photo.height, photo.exif], [8, 8, undefined])
    for (const type of ['gif', 'webp'] as const) {
      const moving = await make(type, await animated(type))
      assert.equal(moving.animated, true)
      assert.equal((await download(moving.attachment_id)).pages, 2)
    }
  })

  test(`EMOJI-7: ${one} cannot be created without an active bucket with enough space`, async () => {
    const photo = await png({ width: 500, height: 500 })
    for (const [limits, status, code] of [
      [undefined, 422, 'no_bucket'],
      [{ uploadLimitBytes: photo.size - 1 }, 413, 'upload_too_large'],
      [{ maxBytes: photo.size - 1 }, 413, 'storage_full'],
    ] as const) {
      space = await makeSpace(owner)
      if (limits !== undefined) await addStorage(server, space.id, limits)
      const answer = await create(['name', 'tea'], ['image', photo])
      assert.deepEqual([answer.status, answer.code], [status, code])
      assert.deepEqual([await published(event), await listHoldings(server, space.id)], [[], NO_CHANGE])
    }
  })
}

function pair(name: string, value: string | File): [string, string | File] {
  return [name, value]
}

test('EMOJI-1: a new member receives the emojis and stickers with the space', async () => {
  await addStorage(server, space.id)
  const emoji = await owner.client.emojis.create(space.id, { name: 'tea', image: picture })
  const sticker = await owner.client.stickers.create(space.id, { name: 'tea', image: picture })
  const newcomer = await createPerson(server, 'newcomer')
  const { code } = await owner.client.invites.create(space.id, space.general)
  await newcomer.client.invites.join(code)
  const [created] = await listJournal(server, topicOf.user(newcomer.id))
  assert.ok(typeof created?.data === 'object' && created.data !== null)
  const { emojis, stickers } = { emojis: undefined, stickers: undefined, ...created.data }
  assert.deepEqual([created.name, emojis, stickers], ['SPACE_CREATE', [emoji], [sticker]])
})

test('EMOJI-7: no files are left except those that are shown', () => checkFilesAtRest(server))
