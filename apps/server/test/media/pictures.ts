import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'

interface Picture {
  format: PictureFormat
  width?: number
  height?: number
  /** EXIF orientation: 6 is a camera held upright. */
  orientation?: number
}

/** Metadata that must not survive re-encoding. */
export const SECRET = 'SECRET-48.8584N-2.2945E'

/** Makes a picture that is red on the left and blue on the right, with the secret in its EXIF and XMP metadata. */
export async function makePicture({
  format,
  width = 60,
  height = 40,
  orientation = 1,
}: Picture): Promise<Buffer> {
  const image = halves(width, height)
    .withExif({ IFD0: { Copyright: SECRET }, IFD3: { GPSProcessingMethod: SECRET } })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${SECRET}</a></x:xmpmeta>`)
    .withMetadata({ orientation })
  return encode(image, format)
}

interface Animation {
  format: 'gif' | 'webp'
  width?: number
  height?: number
  /** Delay of each frame, in milliseconds. */
  delays: readonly number[]
  /** Number of loops; 0 means forever. */
  loop: number
}

export async function makeAnimation({
  format,
  width = 50,
  height = 30,
  delays,
  loop,
}: Animation): Promise<Buffer> {
  const frames = await Promise.all(
    delays.map((_, index) =>
      solid(width, height, { r: (index * 67) % 256, g: 90, b: 120 })
        .png()
        .toBuffer(),
    ),
  )
  const image = sharp(frames, { join: { animated: true } })
  const options = { delay: [...delays], loop }
  return (format === 'gif' ? image.gif(options) : image.webp(options)).toBuffer()
}

/** Makes a PNG whose header claims these dimensions, without any pixel data. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(0)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Inserts a text chunk before the pixel data. */
export function withTextChunk(png: Buffer, text: string): Buffer {
  const at = PNG_SIGNATURE.length + 25
  return Buffer.concat([
    png.subarray(0, at),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    png.subarray(at),
  ])
}

/** Makes a GIF with this many frames of one pixel, on a square canvas. */
export function manyFrames(count: number, side = 1): Buffer {
  const header = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  header.writeUInt16LE(side, 6)
  header.writeUInt16LE(side, 8)
  const frame = Buffer.from('!\xf9\x04\0\x0a\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1')
  return Buffer.concat([header, ...Array.from({ length: count }, () => frame), Buffer.from(';')])
}

export async function pixelAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const raw = await sharp(picture).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  return [...raw]
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function halves(width: number, height: number): Sharp {
  const right = {
    create: { width: Math.floor(width / 2), height, channels: 3, background: '#0000ff' },
  } as const
  return solid(width, height, '#ff0000').composite([{ input: right, gravity: 'east' }])
}

function solid(
  width: number,
  height: number,
  background: string | { r: number; g: number; b: number },
): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

function encode(image: Sharp, format: PictureFormat): Promise<Buffer> {
  return (format === 'avif' ? image.avif({ effort: 0 }) : image.toFormat(format)).toBuffer()
}
