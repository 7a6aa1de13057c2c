import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_IMAGE_BYTES } from '@foyer/protocol/limits'
import sharp from 'sharp'
import { sql } from '#src/kernel/sql/sql.ts'
import { checkFilesAtRest } from '#test/file-consistency.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { animated, bomb, cutShort, fileOf, formOf, jpegWithExif, paint, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage, listHoldings } from '#test/storages.ts'

const NOTHING = { ids: [], usedBytes: 0 }

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner)
})

const update = (form: FormData) => owner.call('PATCH', `/api/spaces/${space.id}`, form)

/** Downloads the image without a signature. */
async function download(id: string | null): Promise<Buffer> {
  const response = await server.fetch(`/attachments/${id}?stream=1`)
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

async function show(field: 'icon' | 'banner', image: File) {
  await addStorage(server, space.id)
  const shown = (await owner.client.spaces.update(space.id, { [field]: image }))[field]
  const bytes = await download(shown)
  return { id: shown, bytes, ...(await sharp(bytes, { animated: true }).metadata()) }
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const html = '<!doctype html><title>x</title><script>alert(1)</script>'
const hostile: [what: string, code: string, status: number, file: () => File | Promise<File>][] = [
  ['SVG', 'invalid_image', 400, () => fileOf(svg, 'icon.svg', 'image/svg+xml')],
  ['an SVG named as a PNG', 'invalid_image', 400, () => fileOf(svg, 'icon.png', 'image/png')],
  ['HTML named as a PNG', 'invalid_image', 400, () => fileOf(html, 'icon.png', 'image/png')],
  ['text', 'invalid_image', 400, () => fileOf('tea', 'icon.txt', 'text/plain')],
  ['an empty file', 'invalid_image', 400, () => fileOf('', 'icon.png', 'image/png')],
  ['a signature alone', 'invalid_image', 400, () => fileOf('GIF89a', 'icon.gif', 'image/gif')],
  ['TIFF', 'invalid_image', 400, async () => fileOf(await paint().tiff().toBuffer(), 'i.png', 'image/png')],
  ['half of a PNG', 'invalid_image', 400, async () => cutShort(await png({ width: 400, height: 400 }))],
  ['50,000 × 50,000 pixels', 'image_too_complex', 400, () => bomb({ width: 50_000, height: 50_000 })],
  ['10 MiB of zeros', 'invalid_image', 400, () => zeros(MAX_IMAGE_BYTES)],
  ['10 MiB and a byte', 'image_too_large', 413, () => zeros(MAX_IMAGE_BYTES + 1)],
]

function zeros(length: number): File {
  return fileOf(Buffer.alloc(length), 'icon.png', 'image/png')
}

for (const [what, code, status, file] of hostile) {
  test(`IMG-3: ${what} as an icon or a banner is ${status} ${code}, and nothing is kept`, async () => {
    await addStorage(server, space.id)
    const before = await owner.client.spaces.get(space.id)
    for (const field of ['icon', 'banner']) {
      const answer = await update(formOf([field, await file()], ['name', 'Half']))
      assert.deepEqual([answer.status, answer.code], [status, code])
    }
    assert.deepEqual(await owner.client.spaces.get(space.id), before)
    assert.deepEqual(await listHoldings(server, space.id), NOTHING)
  })
}

for (const [format, kept] of [
  ['png', 'png'],
  ['jpeg', 'jpeg'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['avif', 'webp'],
] as const) {
  test(`IMG-3: ${format} is a picture, whatever its name`, async () => {
    const file = fileOf(await paint().toFormat(format).toBuffer(), 'notes.txt', 'text/plain')
    const shown = await show('icon', file)
    assert.deepEqual([shown.format, shown.width, shown.height], [kept, 8, 8])
  })
}

test('IMG-4: large pictures are scaled down to fit, and small ones keep their size', async () => {
  const [large, small] = [await png({ width: 3000, height: 1500 }), await png({ width: 20, height: 10 })]
  for (const [field, image, size] of [
    ['icon', large, [1024, 512]],
    ['banner', large, [2048, 1024]],
    ['icon', small, [20, 10]],
    ['banner', small, [20, 10]],
  ] as const) {
    space = await makeSpace(owner)
    const { width, height } = await show(field, image)
    assert.deepEqual([width, height], size)
  }
})

test('IMG-4: location and camera data are removed from a picture', async () => {
  const photo = await jpegWithExif()
  assert.ok(Buffer.from(await photo.arrayBuffer()).includes('SecretCamera'))
  const { bytes, exif, format } = await show('icon', photo)
  assert.deepEqual([format, exif, bytes.includes('SecretCamera')], ['jpeg', undefined, false])
})

for (const type of ['gif', 'webp'] as const) {
  test(`IMG-4: an animated ${type} stays animated`, async () => {
    const { pages, format, pageHeight } = await show('banner', await animated(type))
    assert.deepEqual([format, pages, pageHeight], [type, 2, 8])
  })
}

test('IMG-5: a space without an active bucket accepts no picture, but everything else', async () => {
  const refused = await update(formOf(['icon', await png()], ['name', 'Half']))
  const error = { error: 'the space has no storage bucket' }
  assert.deepEqual([refused.status, refused.body], [422, error])
  const bucketId = await addStorage(server, space.id)
  assert.equal((await update(formOf(['icon', await png()]))).status, 200)
  await server.deps.database.execute(sql`update storage_buckets set active = false where id = ${bucketId}`)
  assert.equal((await update(formOf(['banner', await png()]))).status, 422)
  assert.equal((await update(formOf(['name', 'Whole'], ['remove_icon', 'true']))).status, 200)
  const { name, icon } = await owner.client.spaces.get(space.id)
  assert.deepEqual([name, icon], ['Whole', null])
})

test('IMG-5: the bucket’s limits apply, and its content is counted', async () => {
  const photo = await png({ width: 500, height: 500 })
  for (const [limits, code] of [
    [{ uploadLimitBytes: photo.size - 1 }, 'upload_too_large'],
    [{ maxBytes: photo.size - 1 }, 'storage_full'],
  ] as const) {
    space = await makeSpace(owner)
    await addStorage(server, space.id, limits)
    const refused = await update(formOf(['icon', photo]))
    assert.deepEqual([refused.status, refused.code], [413, code])
    assert.deepEqual(await listHoldings(server, space.id), NOTHING)
    assert.equal((await update(formOf(['icon', await png()]))).status, 200)
    const { icon } = await owner.client.spaces.get(space.id)
    const { length } = await download(icon)
    assert.deepEqual(await listHoldings(server, space.id), { ids: [icon], usedBytes: length })
  }
})

test('IMG-8: everyone sees the picture as soon as it is stored, and the replaced one no longer', async () => {
  const { id: first } = await show('icon', await png())
  assert.equal((await server.fetch(`/attachments/${first}`, { redirect: 'manual' })).status, 307)
  await update(formOf(['icon', await png()]))
  assert.equal((await server.fetch(`/attachments/${first}?stream=1`)).status, 404)
  await download((await owner.client.spaces.get(space.id)).icon)
})

test('IMG-6: no files are left except those that are shown', () => checkFilesAtRest(server))
