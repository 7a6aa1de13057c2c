import { createHmac, randomBytes } from 'node:crypto'

/** The values that every authenticator app supports: six digits, SHA-1, a new code every 30 seconds (RFC 6238). */
const PERIOD_MS = 30_000
const DIGITS = 6
const SECRET_BYTES = 20
/** Periods before and after the present one whose codes are accepted: clocks differ, and typing takes time. */
const TOLERANCE = 1
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @returns a new secret in base 32 */
export function newTotpSecret(): string {
  return [...randomBytes((SECRET_BYTES * 8) / 5)].map((byte) => BASE_32[byte % 32]).join('')
}

/** Returns the URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}

/** @param period number of periods since 1970 */
export function totpCode(secret: string, period: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(period))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** @returns the period of the code; undefined for a code that is not accepted now */
export function periodOf(secret: string, code: string, nowMs: number): number | undefined {
  const present = Math.floor(nowMs / PERIOD_MS)
  const periods = Array.from({ length: 2 * TOLERANCE + 1 }, (_, index) => present - TOLERANCE + index)
  return periods.findLast((period) => totpCode(secret, period) === code)
}

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => BASE_32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
