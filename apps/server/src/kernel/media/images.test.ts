import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { makeAnimation, makePicture, pixelAt, SECRET, withTextChunk } from '#test/media/pictures.ts'
import { anything, openWorkbench, type Workbench } from '#test/media/workbench.ts'

let bench: Workbench
before(async () => {
  bench = await openWorkbench()
})
after(() => bench[Symbol.asyncDispose]())

const fit = (width: number, height = width) => ({ kind: 'image', fit: { width, height } }) as const

test('MEDIA-3: a picture keeps its type, its size and its colours, and an AVIF becomes WebP', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'avif'] as const) {
    const { bytes, ...examined } = await bench.examine(await makePicture({ format }))
    const wanted = `image/${format === 'avif' ? 'webp' : format}`
    const { contentType, width, height, animated, sizeBytes } = examined
    assert.deepEqual(
      { contentType, width, height, animated },
      { contentType: wanted, width: 60, height: 40, animated: false },
    )
    assert.equal(sizeBytes, bytes.length)
    const metadata = await sharp(bytes).metadata()
    assert.deepEqual([metadata.width, metadata.height], [60, 40])
    const [red = 0, , blue = 0] = await pixelAt(bytes, 5, 20)
    assert.ok(red > 240 && blue < 15, `${format}: ${red} ${blue}`)
  }
})

test('MEDIA-3: a picture is examined in a folder with a relative path, as DATA_DIR has by default', async () => {
  await using here = await openWorkbench({}, 'test-results')
  assert.match(here.folder, /^test-results/)
  const { contentType } = await here.examine(await makePicture({ format: 'png' }))
  assert.equal(contentType, 'image/png')
})

test('MEDIA-3: the type of a picture follows its content, not its sender', async () => {
  const { contentType } = await bench.examine(await makePicture({ format: 'jpeg' }), anything('text/html'))
  assert.equal(contentType, 'image/jpeg')
})

test('MEDIA-3: metadata and trailing data of a picture are removed', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
    const given = await makePicture({ format })
    assert.ok(given.includes(SECRET), format)
    const { bytes } = await bench.examine(given)
    assert.equal(bytes.includes(SECRET), false, format)
    const { exif, xmp, icc, iptc, comments } = await sharp(bytes).metadata()
    assert.deepEqual(
      { exif, xmp, icc, iptc, comments },
      { exif: undefined, xmp: undefined, icc: undefined, iptc: undefined, comments: undefined },
    )
  }
  const png = withTextChunk(await makePicture({ format: 'png' }), SECRET)
  assert.ok(png.includes(`Comment\0${SECRET}`))
  assert.equal((await bench.examine(png)).bytes.includes(SECRET), false)
})

test('MEDIA-3: data hidden after or inside a picture is removed', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
    const picture = await makePicture({ format })
    const { bytes } = await bench.examine(
      Buffer.concat([picture, Buffer.from('<script>alert(1)</script>')]),
      anything('text/html'),
    )
    assert.equal(bytes.includes('<script>'), false, format)
    assert.equal((await sharp(bytes).metadata()).width, 60)
  }
  const gif = await makePicture({ format: 'gif', width: 0x2f2a, height: 2 })
  assert.equal(gif.toString('latin1', 6, 8), '*/')
  const script = Buffer.concat([gif, Buffer.from('=1;alert(1)')])
  assert.equal((await bench.examine(script)).bytes.includes('alert'), false)
})

test('MEDIA-3: a rotated picture becomes upright', async () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const { bytes, width, height } = await bench.examine(await makePicture({ format, orientation: 6 }))
    assert.deepEqual([width, height], [40, 60], format)
    const [red = 0, , blue = 0] = await pixelAt(bytes, 20, 5)
    assert.ok(red > 240 && blue < 15)
    assert.equal((await sharp(bytes).metadata()).orientation, undefined)
  }
})

test('MEDIA-3: colours of other profiles become sRGB', async () => {
  const green = sharp({ create: { width: 9, height: 9, channels: 3, background: '#80ff80' } })
  const wide = await green.withIccProfile('p3').png().toBuffer()
  assert.equal((await sharp(wide).metadata()).hasProfile, true)
  const { bytes } = await bench.examine(wide)
  assert.equal((await sharp(bytes).metadata()).hasProfile, false)
  const [red = 0, greens = 0, blue = 0] = await pixelAt(bytes, 4, 4)
  assert.ok(Math.abs(red - 0x80) < 4 && greens > 250 && Math.abs(blue - 0x80) < 4, `${red} ${greens} ${blue}`)
  const print = await green.clone().toColourspace('cmyk').jpeg().toBuffer()
  assert.equal((await sharp((await bench.examine(print)).bytes).metadata()).space, 'srgb')
})

test('MEDIA-3: transparency is kept', async () => {
  const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000040' } })
    .png()
    .toBuffer()
  const { bytes } = await bench.examine(clear)
  assert.deepEqual([...(await sharp(bytes).raw().toBuffer()).subarray(0, 4)], [255, 0, 0, 64])
})

test('MEDIA-4: an animation keeps its frames, its delays and its loops', async () => {
  const delays = [100, 200, 300, 40]
  for (const format of ['gif', 'webp'] as const) {
    for (const wish of [anything(), fit(25)]) {
      const { bytes, ...examined } = await bench.examine(
        await makeAnimation({ format, delays, loop: 3 }),
        wish,
      )
      const side = wish.kind === 'image' ? [25, 15] : [50, 30]
      assert.deepEqual([examined.width, examined.height, examined.animated], [...side, true])
      const metadata = await sharp(bytes, { animated: true }).metadata()
      assert.deepEqual([metadata.pages, metadata.delay, metadata.loop], [4, delays, 3], format)
      assert.deepEqual([metadata.width, metadata.pageHeight], side)
    }
  }
})

test('MEDIA-4: the orientation of an animation is ignored', async () => {
  const upright = sharp(await makeAnimation({ format: 'webp', delays: [100, 100], loop: 0 }), {
    animated: true,
  })
  const lying = await upright.withMetadata({ orientation: 6 }).webp().toBuffer()
  assert.equal((await sharp(lying).metadata()).orientation, 6)
  for (const wish of [anything(), fit(100)]) {
    const { width, height, animated } = await bench.examine(lying, wish)
    assert.deepEqual({ width, height, animated }, { width: 50, height: 30, animated: true })
  }
})

test('MEDIA-5: a picture is scaled down to fit, and never enlarged, where only pictures are accepted', async () => {
  const given = await makePicture({ format: 'png', width: 600, height: 300 })
  const sizes = [
    [fit(128), 128, 64],
    [fit(1024), 600, 300],
    [fit(1000, 30), 60, 30],
  ] as const
  for (const [wish, width, height] of sizes) {
    const examined = await bench.examine(given, wish)
    assert.deepEqual([examined.width, examined.height], [width, height])
    assert.equal((await sharp(examined.bytes).metadata()).width, width)
  }
  const upright = await bench.examine(
    await makePicture({ format: 'jpeg', width: 600, height: 300, orientation: 6 }),
    fit(100),
  )
  assert.deepEqual([upright.width, upright.height], [50, 100])
})

test('MEDIA-5: any other file is refused where only pictures are accepted', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>'
  const tiff = await sharp(await makePicture({ format: 'png' }))
    .tiff()
    .toBuffer()
  for (const bytes of ['', 'text', svg, `<?xml version="1.0"?>${svg}`, '%PDF-1.7\n', '<html></html>', tiff])
    await assert.rejects(bench.examine(bytes, fit(100)), { code: 'invalid_image' })
})
