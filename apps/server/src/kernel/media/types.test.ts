import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makePicture } from '#test/media/pictures.ts'
import { makeFilm } from '#test/media/videos.ts'
import { anything, openWorkbench, type Workbench } from '#test/media/workbench.ts'
import type { RemoteFile } from './media.ts'

const MIB = 1024 * 1024

let bench: Workbench
before(async () => {
  bench = await openWorkbench()
})
after(() => bench[Symbol.asyncDispose]())

/** Counts what is read of it. */
function remoteOf(
  bytes: Buffer,
  sizeBytes = bytes.length,
): RemoteFile & { readBytes: number; reads: number } {
  return {
    sizeBytes,
    readBytes: 0,
    reads: 0,
    async read(start, end) {
      this.readBytes += end - start + 1
      this.reads += 1
      const piece = Buffer.alloc(end - start + 1)
      bytes.copy(piece, 0, start, end + 1)
      return piece
    },
  }
}

/** Here and from afar, the same. */
async function typeOf(bytes: Buffer | string, claimedType: string): Promise<string> {
  const { contentType, path } = await bench.examine(bytes, anything(claimedType))
  const remote = await bench.media.examineRemote(remoteOf(Buffer.from(bytes)), claimedType)
  assert.equal(remote.contentType, contentType)
  assert.equal(path.endsWith('.new'), false)
  return contentType
}

test('MEDIA-7: text keeps the type that its sender names, unless that is a media type', async () => {
  assert.equal(await typeOf('hello', 'text/plain; charset=utf-8'), 'text/plain')
  assert.equal(await typeOf('{"a":1}', 'Application/JSON'), 'application/json')
  assert.equal(await typeOf('<!doctype html><script>alert(1)</script>', 'text/html'), 'text/html')
  assert.equal(await typeOf('<?xml version="1.0"?><a/>', 'text/plain'), 'text/plain')
  assert.equal(await typeOf('grün 😀', 'application/octet-stream'), 'application/octet-stream')
  assert.equal(await typeOf('', 'text/csv'), 'text/csv')
})

test('MEDIA-7: a file falsely named as media is plain text or of unknown type', async () => {
  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  assert.equal(await typeOf(svg, 'image/svg+xml'), 'text/plain')
  assert.equal(await typeOf('<html><script>alert(1)</script></html>', 'image/png'), 'text/plain')
  assert.equal(await typeOf('', 'video/mp4'), 'text/plain')
  assert.equal(await typeOf(Buffer.from([1, 2, 3, 0xff]), 'audio/mpeg'), 'application/octet-stream')
})

test('MEDIA-7: a file falsely named as text is of unknown type', async () => {
  assert.equal(await typeOf(Buffer.from('a\0b'), 'text/plain'), 'application/octet-stream')
  assert.equal(await typeOf(Buffer.from([0x61, 0xe4]), 'text/html'), 'application/octet-stream')
  assert.equal(
    await typeOf(Buffer.from('grün').subarray(0, 3), 'application/json'),
    'application/octet-stream',
  )
  assert.equal(await typeOf(Buffer.from([0x61, 0xe4]), 'application/x-thing'), 'application/x-thing')
})

test('MEDIA-7: a file with a known signature has that type, whatever its sender says', async () => {
  assert.equal(await typeOf('%PDF-1.7\n%%EOF', 'text/html'), 'application/pdf')
  assert.equal(await typeOf(Buffer.from('PK\x05\x06'.padEnd(22, '\0')), 'image/png'), 'application/zip')
  const picture = await makePicture({ format: 'jpeg' })
  assert.equal(
    await typeOf(Buffer.concat([Buffer.from('%PDF-1.7\n'), picture]), 'image/jpeg'),
    'application/pdf',
  )
})

test('MEDIA-7: text of 32 MiB is recognized as a whole, within seconds', async () => {
  const text = Buffer.alloc(32 * MIB, 'ä\n')
  const started = performance.now()
  assert.equal((await bench.examine(text, anything('text/plain'))).contentType, 'text/plain')
  text.writeUInt8(0xff, 32 * MIB - 1)
  assert.equal((await bench.examine(text, anything('text/plain'))).contentType, 'application/octet-stream')
  assert.ok(performance.now() - started < 60_000)
})

test('MEDIA-8: a video has the size in which it is shown', async () => {
  for (const [format, contentType] of [
    ['mp4', 'video/mp4'],
    ['mov', 'video/quicktime'],
    ['webm', 'video/webm'],
    ['mkv', 'video/matroska'],
  ] as const) {
    const film = await makeFilm({ format, picture: { width: 640, height: 360 } })
    const {
      path: _path,
      sizeBytes: _size,
      bytes,
      ...facts
    } = await bench.examine(film, anything('text/plain'))
    assert.deepEqual(facts, { contentType, width: 640, height: 360, animated: false })
    assert.deepEqual(bytes, film)
    const upright = remoteOf(await makeFilm({ format, picture: { width: 640, height: 360, rotation: 90 } }))
    const { width, height } = await bench.media.examineRemote(upright, contentType)
    assert.deepEqual([width, height], [360, 640], format)
  }
})

test('MEDIA-8: a video without a picture is audio', async () => {
  assert.equal(await typeOf(await makeFilm({ format: 'mp4' }), 'video/mp4'), 'audio/mp4')
  assert.equal(await typeOf(await makeFilm({ format: 'webm' }), 'video/webm'), 'audio/webm')
})

test('MEDIA-8: a video that cannot be read keeps its type, and has no size', async () => {
  const film = await makeFilm({ format: 'mp4', picture: { width: 640, height: 360 } })
  const boxes = film.indexOf('moov')
  const endless = Buffer.from(film)
  endless.writeUInt32BE(0xffff_fff0, boxes - 4)
  const matroska = Buffer.from(await makeFilm({ format: 'mkv', picture: { width: 640, height: 360 } }))
  matroska.fill(0xff, 60, 200)
  for (const [bytes, contentType] of [
    [film.subarray(0, boxes + 20), 'video/mp4'],
    [matroska, 'video/matroska'],
  ] as const) {
    const facts = await bench.examine(bytes, anything('video/x'))
    assert.deepEqual([facts.contentType, facts.width, facts.height], [contentType, null, null])
  }
  assert.match((await bench.examine(endless)).contentType, /^(?:video|audio)\/mp4$/)
})

test('MEDIA-8: damage anywhere in a video costs at most its size', async () => {
  for (const format of ['mp4', 'webm'] as const) {
    const film = await makeFilm({ format, picture: { width: 640, height: 360 } })
    for (let at = 0; at < film.length; at += 5) {
      const damaged = Buffer.from(film)
      damaged.fill(0xff, at, Math.min(at + 4, film.length))
      await bench.media.examineRemote(remoteOf(damaged), 'video/mp4')
    }
  }
})

test('MEDIA-8: only a small part of an external file is read, however large it is', async () => {
  const film = await makeFilm({ format: 'mp4', picture: { width: 640, height: 360 } })
  for (const bytes of [
    film,
    await makeFilm({ format: 'mkv', picture: { width: 64, height: 36 } }),
    Buffer.from('text'),
  ]) {
    const remote = remoteOf(bytes, 5 * 1024 * MIB)
    await bench.media.examineRemote(remote, 'video/mp4')
    assert.ok(remote.readBytes < 96 * MIB, String(remote.readBytes))
    assert.ok(remote.reads < 600, String(remote.reads))
  }
})

test('MEDIA-8: errors while reading an external file are reported as they are', async () => {
  const gone = new Error('gone')
  const broken: RemoteFile = { sizeBytes: 1000, read: () => Promise.reject(gone) }
  await assert.rejects(bench.media.examineRemote(broken, 'video/mp4'), gone)
})

test('MEDIA-3: an external picture is of unknown type, since it is not encoded again', async () => {
  const picture = remoteOf(await makePicture({ format: 'png' }))
  assert.equal(
    (await bench.media.examineRemote(picture, 'image/png')).contentType,
    'application/octet-stream',
  )
})
