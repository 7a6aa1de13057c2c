import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** A file in the form that Playwright and pages accept. */
export interface SampleFile {
  name: string
  mimeType: string
  buffer: Buffer
}

interface PictureOptions {
  width: number
  height: number
  /** Color of the sky: red, green and blue. */
  sky: readonly [number, number, number]
}

/** Draws a landscape as PNG. */
export function picture(name: string, { width, height, sky }: PictureOptions): SampleFile {
  const rows = Array.from({ length: height }, (_, y) =>
    pngRow(width, (x) => landscape(x / width, y / height, sky)),
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
  return { name, mimeType: 'image/png', buffer }
}

/** Draws a GIF of 16 × 16 pixels that changes between red and blue ten times a second. */
export function blinkingGif(name: string): SampleFile {
  const frame = (color: number) => [
    [0x21, 0xf9, 4, 0, 10, 0, 0, 0],
    [0x2c, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2],
    gifPixels(256, color),
  ]
  const buffer = Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[16, 0, 16, 0, 0x81, 0, 0],
    ...[200, 30, 30, 30, 60, 200, 0, 0, 0, 0, 0, 0],
    ...[0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0],
    ...[frame(0), frame(1)].flat(2),
    0x3b,
  ])
  return { name, mimeType: 'image/gif', buffer }
}

/** Creates one second of a tone as WAV. */
export function sound(name: string): SampleFile {
  const rate = 8000
  const buffer = Buffer.alloc(44 + rate * 2)
  buffer.write('RIFF', 0)
  buffer.writeUInt32LE(36 + rate * 2, 4)
  buffer.write('WAVEfmt ', 8)
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(1, 20)
  buffer.writeUInt16LE(1, 22)
  buffer.writeUInt32LE(rate, 24)
  buffer.writeUInt32LE(rate * 2, 28)
  buffer.writeUInt16LE(2, 32)
  buffer.writeUInt16LE(16, 34)
  buffer.write('data', 36)
  buffer.writeUInt32LE(rate * 2, 40)
  for (let index = 0; index < rate; index += 1) {
    buffer.writeInt16LE(Math.round(8000 * Math.sin((index / rate) * 2 * Math.PI * 440)), 44 + index * 2)
  }
  return { name, mimeType: 'audio/wav', buffer }
}

export function text(name: string, content: string): SampleFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) }
}

/** Records one second of a moving square as WebM in the browser, 320 × 180 pixels. */
export async function video(page: Page, name: string): Promise<SampleFile> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve
    })
    recorder.start()
    for (let step = 0; step < 25; step += 1) {
      if (context !== null) {
        context.fillStyle = '#7a4228'
        context.fillRect(0, 0, 320, 180)
        context.fillStyle = '#f6cdb4'
        context.fillRect(step * 10, 60, 60, 60)
      }
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  return { name, mimeType: 'video/webm', buffer: Buffer.from(base64, 'base64') }
}

function landscape(x: number, y: number, [red, green, blue]: PictureOptions['sky']): number[] {
  // The shape of the mountains depends on the color of the sky.
  const ridge = 0.55 + 0.12 * Math.sin(x * 9 + red) + 0.05 * Math.sin(x * 31 + blue)
  if (y > ridge) return [60 + 40 * y, 90 + 30 * (1 - y), 60].map(Math.round)
  return [red, green, blue].map((value) => Math.round(value + (255 - value) * y * 0.7))
}

function pngRow(width: number, colorAt: (x: number) => number[]): Buffer {
  return Buffer.from([0, ...Array.from({ length: width }, (_, x) => colorAt(x)).flat()])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Encodes pixels of one color out of four, with GIF's LZW. Frequent clear codes keep all codes three bits long. */
function gifPixels(count: number, color: number): number[] {
  const CLEAR = 4
  const END = 5
  const codes = Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? [CLEAR, color] : [color],
  ).flat()
  const bits = [...codes, END]
    .map((code) => code.toString(2).padStart(3, '0').split('').reverse().join(''))
    .join('')
  const bytes = bits.match(/.{1,8}/g)?.map((octet) => Number.parseInt([...octet].reverse().join(''), 2)) ?? []
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.slice(index * 255, index * 255 + 255),
  )
  return [...blocks.flatMap((block) => [block.length, ...block]), 0]
}
