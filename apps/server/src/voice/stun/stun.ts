import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import ipaddr from 'ipaddr.js'

// STUN (RFC 8489), with the parts of TURN (RFC 8656) and ICE (RFC 8445) that use its messages.

export const StunType = {
  binding: 0x0001,
  allocate: 0x0003,
  refresh: 0x0004,
} as const

const SUCCESS = 0x0100
const ERROR = 0x0110

export const Attribute = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  xorRelayedAddress: 0x0016,
  requestedTransport: 0x0019,
  xorMappedAddress: 0x0020,
  priority: 0x0024,
  fingerprint: 0x8028,
  iceControlled: 0x8029,
  iceControlling: 0x802a,
} as const

const COOKIE = 0x2112a442
export const HEADER_BYTES = 20
/** Bytes of the attribute MESSAGE-INTEGRITY. */
export const INTEGRITY_BYTES = 24
const FINGERPRINT_BYTES = 8
/** Bytes of the value of an address attribute: IPv4 and IPv6. */
const VALUE_LENGTHS = [8, 20]
const FINGERPRINT_MASK = 0x5354554e

export type AttributeValue = readonly [type: number, value: Buffer]

export interface StunMessage {
  type: number
  transaction: Buffer
  attributes: Map<number, Buffer>
}

/** @param key the key of the MESSAGE-INTEGRITY attribute; without a key, the attribute is left out */
export function encodeStun(
  type: number,
  values: readonly AttributeValue[],
  key?: string | Buffer,
  transaction: Buffer = randomBytes(12),
): Buffer {
  const body = Buffer.concat(values.map(encodeAttribute))
  const plain = Buffer.concat([header(type, body.length, transaction), body])
  const signed = key === undefined ? plain : withIntegrity(plain, key)
  const measured = withLength(signed, FINGERPRINT_BYTES)
  return Buffer.concat([measured, encodeAttribute([Attribute.fingerprint, fingerprintFor(signed)])])
}

/** Returns true if the bytes begin with the header of a STUN message. */
export function isStun(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.readUInt32BE(4) === COOKIE
}

/** @returns undefined unless the bytes begin with a complete message */
export function decodeStun(bytes: Buffer): StunMessage | undefined {
  if (!isStun(bytes) || bytes.length < HEADER_BYTES + bytes.readUInt16BE(2)) return undefined
  const attributes = new Map<number, Buffer>()
  for (const { type, at, length } of attributesIn(bytes))
    attributes.set(type, bytes.subarray(at, at + length))
  return { type: bytes.readUInt16BE(0), transaction: bytes.subarray(8, HEADER_BYTES), attributes }
}

/** Yields the attributes of a message, with offset and length of each value. A length may reach past the end. */
export function* attributesIn(bytes: Buffer): Generator<{ type: number; at: number; length: number }> {
  let at = HEADER_BYTES
  while (at + 4 <= bytes.length) {
    const length = bytes.readUInt16BE(at + 2)
    yield { type: bytes.readUInt16BE(at), at: at + 4, length }
    at += 4 + padded(length)
  }
}

export function isSuccess({ type }: StunMessage): boolean {
  return (type & ERROR) === SUCCESS
}

/** Returns the error code, such as 401; undefined for an answer that is not an error. */
export function errorCodeOf({ type, attributes }: StunMessage): number | undefined {
  const value = attributes.get(Attribute.errorCode)
  return (type & ERROR) === ERROR && value !== undefined && value.length >= 4
    ? (value[2] ?? 0) * 100 + (value[3] ?? 0)
    : undefined
}

/** Returns the address in an XOR-MAPPED-ADDRESS or XOR-RELAYED-ADDRESS; undefined if it is missing or not an address. */
export function addressIn({ transaction, attributes }: StunMessage, attribute: number): string | undefined {
  const value = attributes.get(attribute)
  if (value === undefined || !VALUE_LENGTHS.includes(value.length)) return undefined
  return ipaddr.fromByteArray(masked(value.subarray(4), transaction)).toString()
}

/** Returns the value of an XOR-MAPPED-ADDRESS. An IPv4 address that is mapped to IPv6 is written as IPv4. */
export function addressValue(address: string, port: number, transaction: Buffer): Buffer {
  const bytes = ipaddr.process(address).toByteArray()
  const value = Buffer.alloc(4)
  value[1] = bytes.length === 4 ? 1 : 2
  value.writeUInt16BE(port ^ (COOKIE >>> 16), 2)
  return Buffer.concat([value, Buffer.from(masked(bytes, transaction))])
}

function masked(bytes: Iterable<number>, transaction: Buffer): number[] {
  const mask = Buffer.concat([Buffer.from('2112a442', 'hex'), transaction])
  return [...bytes].map((byte, index) => byte ^ (mask[index] ?? 0))
}

function encodeAttribute([type, value]: AttributeValue): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length))
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

function header(type: number, length: number, transaction: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(length, 2)
  bytes.writeUInt32BE(COOKIE, 4)
  transaction.copy(bytes, 8)
  return bytes
}

/** Returns the value of MESSAGE-INTEGRITY for the message before it. */
export function integrityFor(message: Buffer, key: string | Buffer): Buffer {
  return createHmac('sha1', key).update(withLength(message, INTEGRITY_BYTES)).digest()
}

/** Returns the value of FINGERPRINT for the message before it. */
export function fingerprintFor(message: Buffer): Buffer {
  const value = Buffer.alloc(4)
  value.writeUInt32BE((crc32(withLength(message, FINGERPRINT_BYTES)) ^ FINGERPRINT_MASK) >>> 0)
  return value
}

function withIntegrity(plain: Buffer, key: string | Buffer): Buffer {
  const mac = encodeAttribute([Attribute.messageIntegrity, integrityFor(plain, key)])
  return Buffer.concat([withLength(plain, INTEGRITY_BYTES), mac])
}

/** Returns the message with its length field raised for an attribute that is appended later. */
function withLength(message: Buffer, moreBytes: number): Buffer {
  const bytes = Buffer.from(message)
  bytes.writeUInt16BE(message.length - HEADER_BYTES + moreBytes, 2)
  return bytes
}

/** Rounds up to a multiple of four bytes, where the next attribute begins. */
function padded(length: number): number {
  return Math.ceil(length / 4) * 4
}
