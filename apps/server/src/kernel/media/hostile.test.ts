import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { hugePng, makePicture, manyFrames } from '#test/media/pictures.ts'
import { anything, openWorkbench, type Workbench } from '#test/media/workbench.ts'

let bench: Workbench
before(async () => {
  bench = await openWorkbench()
})
after(() => bench[Symbol.asyncDispose]())

const fit = { kind: 'image', fit: { width: 100, height: 100 } } as const
const tooComplex = { code: 'image_too_complex', status: 400 }
const invalid = { code: 'invalid_image', status: 400 }

/** Refused as either, at once: long before a decoder could have filled the memory. */
async function refusedQuickly(bytes: Buffer, refusal: object): Promise<void> {
  for (const wish of [anything(), fit]) {
    const started = performance.now()
    await assert.rejects(bench.examine(bytes, wish), refusal)
    assert.ok(performance.now() - started < 30_000)
  }
}

test('MEDIA-6: a picture of more than 100 megapixels is refused by its header', async () => {
  await refusedQuickly(hugePng(50_000, 50_000), tooComplex)
  await refusedQuickly(hugePng(10_001, 10_000), tooComplex)
  await refusedQuickly(hugePng(10_000, 10_000), invalid)
  const whole = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#357' } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  assert.equal((await bench.examine(whole)).width, 10_000)
  assert.equal((await bench.examine(whole, fit)).width, 100)
})

test('MEDIA-6: the pixels of an animation count in all its frames', async () => {
  await refusedQuickly(manyFrames(101, 1000), tooComplex)
  assert.equal((await bench.examine(manyFrames(100, 1000))).width, 1000)
})

test('MEDIA-6: a picture has at most 1000 frames', async () => {
  const { animated } = await bench.examine(manyFrames(1000))
  assert.equal(animated, true)
  await refusedQuickly(manyFrames(1001), tooComplex)
  await refusedQuickly(manyFrames(1_000_000), tooComplex)
})

test('MEDIA-6: the sides of a picture are limited by its new format', async () => {
  await refusedQuickly(hugePng(32_768, 1), tooComplex)
  const wide = sharp({ create: { width: 16_384, height: 64, channels: 3, background: '#357' } })
  await refusedQuickly(await wide.clone().avif({ effort: 0 }).toBuffer(), tooComplex)
  assert.equal((await bench.examine(await wide.clone().png().toBuffer())).width, 16_384)
})

test('MEDIA-6: a truncated or damaged picture is refused', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    const whole = await makePicture({ format, width: 300, height: 200 })
    for (const length of [32, Math.floor(whole.length / 2)])
      await assert.rejects(bench.examine(whole.subarray(0, length)), invalid, `${format} ${length}`)
  }
})

test('MEDIA-6: a refused picture leaves no file', async () => {
  const made = async () => (await readdir(bench.folder)).filter((name) => name.endsWith('.new')).length
  const before = await made()
  const whole = await makePicture({ format: 'jpeg', width: 300, height: 200 })
  await assert.rejects(bench.examine(whole.subarray(0, whole.length - 300)), invalid)
  assert.equal(await made(), before)
  await bench.examine(whole)
  assert.equal(await made(), before + 1)
})

test('MEDIA-6: damage anywhere in a picture affects only that picture', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    const whole = await makePicture({ format })
    for (let at = 8; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0xff, at)
      await bench.examine(damaged).catch((error: { code?: string }) => {
        assert.match(error.code ?? String(error), /^(?:invalid_image|image_too_complex)$/)
      })
    }
  }
  assert.equal((await bench.examine(await makePicture({ format: 'png' }))).width, 60)
})
