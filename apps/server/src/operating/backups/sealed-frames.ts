import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { DamagedBackup } from './backup-error.ts'

const CIPHER = 'aes-256-gcm'
const SALT_BYTES = 16
const TAG_BYTES = 16
const NONCE_BYTES = 12
const FRAME_BYTES = 64 * 1024

/** Returns the size of this many bytes once they are sealed. */
export function sealedSize(plainBytes: number): number {
  const frames = Math.max(1, Math.ceil(plainBytes / FRAME_BYTES))
  return SALT_BYTES + plainBytes + frames * TAG_BYTES
}

/**
 * Encrypts a stream in frames. Each frame is bound to its position, the stream's name and a flag for the last frame:
 * changed, swapped, missing and foreign frames are refused. A new salt gives each stream a key of its own, so that a
 * repeated upload never reuses a nonce with the same key. Source: the STREAM construction of Hoang, Reyhanitabar,
 * Rogaway and Vizár, 2015.
 */
export async function* seal(
  key: Buffer,
  name: string,
  plain: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const streamKey = deriveKey(key, salt, name)
  yield salt
  let index = 0
  for await (const { bytes, isLast } of framesOf(plain, FRAME_BYTES)) {
    const cipher = createCipheriv(CIPHER, streamKey, nonceOf(index, isLast), { authTagLength: TAG_BYTES })
    const sealed = cipher.update(bytes)
    cipher.final()
    yield sealed
    yield cipher.getAuthTag()
    index += 1
  }
}

/**
 * Decrypts the output of `seal` for this key and name. Each piece is authentic when it is returned, and the stream is
 * complete when it ends.
 * @throws DamagedBackup for any other input
 */
export async function* unseal(
  key: Buffer,
  name: string,
  sealed: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const pieces = withoutSalt(sealed)
  const { value: salt } = await pieces.next()
  if (salt === undefined || salt.length < SALT_BYTES) throw damaged(name)
  const streamKey = deriveKey(key, salt, name)
  let index = 0
  for await (const { bytes, isLast } of framesOf(pieces, FRAME_BYTES + TAG_BYTES)) {
    yield openFrame(streamKey, { bytes, isLast, index, name })
    index += 1
  }
}

/** Encrypts a short text in memory. */
export async function sealAll(key: Buffer, name: string, plain: Buffer): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(seal(key, name, [plain])))
}

/** @throws DamagedBackup for input that `unseal` does not accept */
export async function unsealAll(
  key: Buffer,
  name: string,
  sealed: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(unseal(key, name, sealed)))
}

interface Frame {
  bytes: Buffer
  isLast: boolean
}

function openFrame(
  key: Buffer,
  { bytes, isLast, index, name }: Frame & { index: number; name: string },
): Buffer {
  if (bytes.length < TAG_BYTES) throw damaged(name)
  const decipher = createDecipheriv(CIPHER, key, nonceOf(index, isLast), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
  const plain = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES))
  try {
    decipher.final()
  } catch (cause) {
    throw damaged(name, cause)
  }
  return plain
}

function damaged(name: string, cause?: unknown): DamagedBackup {
  return new DamagedBackup(`the backup is damaged: ${name} was changed or cut off`, { cause })
}

function deriveKey(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `foyer backup ${name}`, 32))
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(index, 4)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into frames of the same size. The last may be shorter; an empty stream has one empty frame. */
async function* framesOf(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  size: number,
): AsyncGenerator<Frame> {
  let kept: Buffer[] = []
  let length = 0
  for await (const piece of pieces) {
    kept.push(piece)
    length += piece.length
    if (length <= size) continue
    const joined = Buffer.concat(kept)
    const whole = Math.ceil(length / size) - 1
    for (let index = 0; index < whole; index += 1)
      yield { bytes: joined.subarray(index * size, (index + 1) * size), isLast: false }
    kept = [joined.subarray(whole * size)]
    length -= whole * size
  }
  yield { bytes: Buffer.concat(kept), isLast: true }
}

/** Separates the salt from the stream: yields the salt first, then the rest. */
async function* withoutSalt(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0)
  let isPast = false
  for await (const piece of pieces) {
    if (isPast) {
      yield piece
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < SALT_BYTES) continue
    isPast = true
    yield head.subarray(0, SALT_BYTES)
    yield head.subarray(SALT_BYTES)
  }
}
