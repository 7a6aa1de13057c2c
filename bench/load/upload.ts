import { randomFillSync } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import type { Account } from './accounts.ts'

export interface UploadedFile {
  filename: string
  contentType: string
  bytes: Buffer
}

const BOUNDARY = 'x'

/** A file that cannot be compressed and is not text. */
export function randomFile(sizeBytes: number): UploadedFile {
  return {
    filename: 'file.bin',
    contentType: 'application/octet-stream',
    bytes: randomFillSync(Buffer.alloc(sizeBytes)),
  }
}

/** A picture of noise, of about this many bytes. */
export function randomPicture(sizeBytes: number): UploadedFile {
  const side = Math.floor(Math.sqrt(sizeBytes / 3))
  const pixels = randomFillSync(Buffer.alloc(side * (side * 3 + 1)))
  for (let row = 0; row < side; row += 1) pixels[row * (side * 3 + 1)] = 0
  return pictureOf(side, { name: 'noise.png', colorType: 2, data: deflateSync(pixels, { level: 0 }) })
}

/** A black picture, small as a file whatever its dimensions. */
export function plainPicture(side: number): UploadedFile {
  return pictureOf(side, {
    name: 'plain.png',
    colorType: 0,
    data: deflateSync(Buffer.alloc(side * (side + 1))),
  })
}

function pictureOf(side: number, given: { name: string; colorType: number; data: Buffer }): UploadedFile {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, given.colorType, 0, 0, 0])
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  const chunks = [chunk('IHDR', header), chunk('IDAT', given.data), chunk('IEND', Buffer.alloc(0))]
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return { filename: given.name, contentType: 'image/png', bytes: Buffer.concat([signature, ...chunks]) }
}

/** Returns the multipart body, and the headers, of a message that only has files. */
export function formOf(files: readonly UploadedFile[]): { headers: Record<string, string>; body: Buffer } {
  const parts = files.flatMap((file) => [Buffer.from(partHead(file)), file.bytes, Buffer.from('\r\n')])
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body }
}

function partHead({ filename, contentType }: UploadedFile): string {
  return [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="files"; filename="${filename}"`,
    `Content-Type: ${contentType}`,
    '\r\n',
  ].join('\r\n')
}

/**
 * Sends a message with one file on its own connection, as fast as the server reads.
 * @throws Error for any answer but 200
 */
export async function sendFile(port: number, account: Account, file: UploadedFile): Promise<void> {
  const head = partHead(file)
  const tail = `\r\n--${BOUNDARY}--\r\n`
  const lines = [
    `POST /api/rooms/${account.roomId}/messages HTTP/1.1`,
    'Host: bench',
    `Authorization: Bearer ${account.accessToken}`,
    `X-Session-Token: ${account.sessionToken}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${head.length + file.bytes.length + tail.length}`,
    'Connection: close',
    '',
    head,
  ]
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(lines.join('\r\n'))
  socket.write(file.bytes)
  socket.write(tail)
  const answer = await text(socket)
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(answer.slice(0, 500))
}

function chunk(type: string, data: Buffer): Buffer {
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([frame, body, sum])
}
