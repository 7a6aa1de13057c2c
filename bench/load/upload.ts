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

/** Of which nothing can be compressed, and nothing is text. */
export function randomFile(sizeBytes: number): UploadedFile {
  return {
    filename: 'file.bin',
    contentType: 'application/octet-stream',
    bytes: randomFillSync(Buffer.alloc(sizeBytes)),
  }
}

/** A picture of noise that has about so many bytes. */
export function randomPicture(sizeBytes: number): UploadedFile {
  const side = Math.floor(Math.sqrt(sizeBytes / 3))
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  const pixels = randomFillSync(Buffer.alloc(side * (side * 3 + 1)))
  for (let row = 0; row < side; row += 1) pixels[row * (side * 3 + 1)] = 0
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return { filename: 'noise.png', contentType: 'image/png', bytes: Buffer.concat([signature, ...chunks]) }
}

/**
 * Sends a message with one file, on a connection of its own, at the pace of the server.
 * @throws Error for any answer but 200
 */
export async function sendFile(port: number, account: Account, file: UploadedFile): Promise<void> {
  const head = `--x\r\nContent-Disposition: form-data; name="files"; filename="${file.filename}"\r\nContent-Type: ${file.contentType}\r\n\r\n`
  const tail = '\r\n--x--\r\n'
  const lines = [
    `POST /api/rooms/${account.roomId}/messages HTTP/1.1`,
    'Host: bench',
    `Authorization: Bearer ${account.accessToken}`,
    `X-Session-Token: ${account.sessionToken}`,
    'Content-Type: multipart/form-data; boundary=x',
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
