import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RecordedClock } from '../examples/recorded-clock.ts'
import { readWebm } from '../examples/webm-reader.ts'
import { AUDIO_TRACK, VIDEO_TRACK, WebmWriter } from '../examples/webm-writer.ts'
import { vp8Frame } from './vp8-frames.ts'

test('VIDEOBOT-9: a film that was written is read with all frames and their times', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'webm-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'film.webm')
  const writer = await WebmWriter.create(path, { width: 640, height: 480 })
  const pictures = Array.from({ length: 400 }, (_, at) => ({
    atMs: at * 40,
    data: vp8Frame({ isKeyFrame: at % 100 === 0, bytes: 50 + 100 * (at % 30), fill: at % 256 }),
  }))
  const sounds = Array.from({ length: 800 }, (_, at) => ({ atMs: at * 20, data: Uint8Array.of(1, at % 256) }))
  for (const [at, { atMs, data }] of pictures.entries()) {
    writer.write({ track: VIDEO_TRACK, atMs, isKeyFrame: at % 100 === 0, data })
    for (const sound of sounds.slice(at * 2, at * 2 + 2))
      writer.write({ track: AUDIO_TRACK, isKeyFrame: true, ...sound })
  }
  await writer.close()
  const file = await readFile(path)
  const { video, audio } = readWebm(file)
  const plain = (frames: readonly { atMs: number; data: Uint8Array }[]) =>
    frames.map(({ atMs, data }) => [atMs, Buffer.from(data).toString('hex')])
  assert.deepEqual(plain(video), plain(pictures))
  assert.deepEqual(plain(audio), plain(sounds))
  const cut = readWebm(file.subarray(0, file.length / 2))
  assert.ok(cut.video.length > 100 && cut.video.length < 300)
})

test('VIDEOBOT-9: a file of another kind, or without VP8, is refused', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('GIF89a, which is no film'), Buffer.alloc(100_000, 0xff)])
    assert.throws(() => readWebm(bytes), /not a WebM file/)
  assert.throws(() => readWebm(Buffer.from('1a45dfa380', 'hex')), /no picture in VP8/)
  assert.throws(() => readWebm(Buffer.from('1a45dfa38000', 'hex')), /damaged/)
})

test('VIDEOBOT-9: times of a recording follow the timestamps, without frames that come twice', () => {
  const clock = new RecordedClock(90, performance.now())
  const first = clock.timeOf(2 ** 32 - 1800)
  assert.ok(first !== undefined)
  assert.equal(clock.timeOf(1800), first + 40)
  assert.equal(clock.timeOf(1800), undefined)
  assert.equal(clock.timeOf(0), undefined)
  assert.equal(clock.timeOf(5400), first + 80)
})
