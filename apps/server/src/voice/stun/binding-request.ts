import { timingSafeEqual } from 'node:crypto'
import {
  Attribute,
  attributesIn,
  fingerprintFor,
  HEADER_BYTES,
  INTEGRITY_BYTES,
  integrityFor,
  isStun,
  StunType,
} from './stun.ts'

const HASH_BYTES = 20
const TIE_BREAKER_BYTES = 8

/** A STUN binding request, with which an ICE agent checks a path, and the offsets of its parts. */
export interface BindingRequest {
  /** First half of USERNAME: the ufrag of the receiver, which identifies the session. */
  readonly ufrag: string
  /** Offset of the value of ICE-CONTROLLING or ICE-CONTROLLED. */
  readonly tieBreakerAt: number | undefined
  /** Offset of the attribute MESSAGE-INTEGRITY, up to which the request is signed. */
  readonly integrityAt: number
  /** Offset of the attribute FINGERPRINT. */
  readonly fingerprintAt: number | undefined
}

/** @returns undefined unless the packet is one complete binding request with a user name and a signature */
export function readBindingRequest(packet: Buffer): BindingRequest | undefined {
  if (!isStun(packet) || packet.readUInt16BE(0) !== StunType.binding) return undefined
  if (packet.length !== HEADER_BYTES + packet.readUInt16BE(2)) return undefined
  const places = attributesOf(packet)
  const user = places.get(Attribute.username)
  const integrity = places.get(Attribute.messageIntegrity)
  if (user === undefined || integrity?.length !== HASH_BYTES) return undefined
  const [ufrag = ''] = packet.toString('latin1', user.at, user.at + user.length).split(':', 1)
  const role = places.get(Attribute.iceControlling) ?? places.get(Attribute.iceControlled)
  const fingerprint = places.get(Attribute.fingerprint)
  return {
    ufrag,
    tieBreakerAt: role?.length === TIE_BREAKER_BYTES ? role.at : undefined,
    integrityAt: integrity.at - 4,
    fingerprintAt: fingerprint?.length === 4 ? fingerprint.at - 4 : undefined,
  }
}

/** Returns true if the request was signed with the password. */
export function isSignedWith(packet: Buffer, { integrityAt }: BindingRequest, password: string): boolean {
  const signature = packet.subarray(integrityAt + 4, integrityAt + INTEGRITY_BYTES)
  return timingSafeEqual(integrityFor(packet.subarray(0, integrityAt), password), signature)
}

/** Returns true if the tie-breaker is zero, which the native library treats as missing. */
export function lacksTieBreaker(packet: Buffer, { tieBreakerAt }: BindingRequest): boolean {
  return tieBreakerAt !== undefined && packet.readBigUInt64BE(tieBreakerAt) === 0n
}

/** Returns the request with another tie-breaker, signed again. */
export function withTieBreaker(
  packet: Buffer,
  { tieBreakerAt = 0, integrityAt, fingerprintAt }: BindingRequest,
  { tieBreaker, password }: { tieBreaker: Buffer; password: string },
): Buffer {
  const changed = Buffer.from(packet)
  tieBreaker.copy(changed, tieBreakerAt)
  integrityFor(changed.subarray(0, integrityAt), password).copy(changed, integrityAt + 4)
  if (fingerprintAt !== undefined)
    fingerprintFor(changed.subarray(0, fingerprintAt)).copy(changed, fingerprintAt + 4)
  return changed
}

interface AttributePlace {
  at: number
  length: number
}

/**
 * Returns offset and length of each value. After MESSAGE-INTEGRITY, only FINGERPRINT counts: other attributes are not
 * signed there.
 */
function attributesOf(packet: Buffer): Map<number, AttributePlace> {
  const places = new Map<number, AttributePlace>()
  for (const { type, at, length } of attributesIn(packet)) {
    const isInside = at + length <= packet.length
    const counts = !places.has(Attribute.messageIntegrity) || type === Attribute.fingerprint
    if (isInside && counts && !places.has(type)) places.set(type, { at, length })
  }
  return places
}
