import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Keys with which the pushes to a browser are encrypted. */
export interface PushKeys {
  /** An uncompressed point on P-256. */
  publicKey: Buffer
  authSecret: Buffer
}

/** Random values drawn for each push. */
export interface PushDraw {
  pair: ECDH
  salt: Buffer
}

const CURVE = 'prime256v1'
const POINT_BYTES = 65
const UNCOMPRESSED = 4
const AUTH_BYTES = 16
const SALT_BYTES = 16
const KEY_BYTES = 16
const NONCE_BYTES = 12
const RECORD_BYTES = 4096
/** Delimiter of the last record. */
const LAST = Buffer.from([2])

/**
 * Decodes the keys of a browser. Returns undefined unless `p256dh` is a point on the curve and `auth` is a secret of 16
 * bytes.
 */
export function readPushKeys({ p256dh, auth }: { p256dh: string; auth: string }): PushKeys | undefined {
  const [publicKey, authSecret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')]
  if (publicKey.length !== POINT_BYTES || publicKey[0] !== UNCOMPRESSED) return undefined
  return authSecret.length === AUTH_BYTES && isOnCurve(publicKey) ? { publicKey, authSecret } : undefined
}

/**
 * Encrypts a body for the browser, as one record of `aes128gcm`. Source: RFC 8291, section 3, and RFC 8188, section 2.
 */
export function encryptPush(text: Buffer, { publicKey, authSecret }: PushKeys, draw = newDraw()): Buffer {
  const { pair, salt } = draw
  const ownKey = pair.getPublicKey()
  const secret = pair.computeSecret(publicKey)
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, ownKey])
  const input = derive(secret, authSecret, about, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), KEY_BYTES)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), NONCE_BYTES)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const sealed = [cipher.update(Buffer.concat([text, LAST])), cipher.final(), cipher.getAuthTag()]
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(RECORD_BYTES)
  sizes.writeUInt8(ownKey.length, 4)
  return Buffer.concat([salt, sizes, ownKey, ...sealed])
}

function newDraw(): PushDraw {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  return { pair, salt: randomBytes(SALT_BYTES) }
}

function derive(input: Buffer, salt: Buffer, about: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, about, length))
}

function isOnCurve(publicKey: Buffer): boolean {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  try {
    return pair.computeSecret(publicKey).length > 0
  } catch {
    return false
  }
}
