import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export interface Size {
  width: number
  height: number
}

/** Returns a picture of one color. */
export function paint({ width, height }: Size = { width: 8, height: 8 }, background = '#c63'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

export async function png(size?: Size): Promise<File> {
  return fileOf(await paint(size).png().toBuffer(), 'picture.png', 'image/png')
}

/** Returns a photo with its location and camera in the EXIF metadata. */
export async function jpegWithExif(size?: Size): Promise<File> {
  const exif = { IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  return fileOf(await paint(size).jpeg().withExif(exif).toBuffer(), 'photo.jpg', 'image/jpeg')
}

/** Returns an animation of two frames. */
export async function animated(type: 'gif' | 'webp'): Promise<File> {
  const frames = await Promise.all(['#f00', '#00f'].map((color) => paint(undefined, color).png().toBuffer()))
  const joined = sharp(frames, { join: { animated: true } }).toFormat(type, { loop: 0, delay: [100, 100] })
  return fileOf(await joined.toBuffer(), `moving.${type}`, `image/${type}`)
}

/** Returns a small PNG whose header claims these dimensions. */
export function bomb({ width, height }: Size): File {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // One bit per pixel.
  head[8] = 1
  const parts = [
    PNG_SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return fileOf(Buffer.concat(parts), 'bomb.png', 'image/png')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

export function fileOf(bytes: Buffer | string, name: string, type: string): File {
  return new File([new Uint8Array(Buffer.from(bytes))], name, { type })
}

/** Returns the first half of a file, like an aborted upload. */
export async function cutShort(file: File): Promise<File> {
  const bytes = Buffer.from(await file.arrayBuffer())
  return fileOf(bytes.subarray(0, Math.floor(bytes.length / 2)), file.name, file.type)
}

/** Returns FormData with the fields in this order. */
export function formOf(...fields: [name: string, value: string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}
