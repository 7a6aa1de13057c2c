import { findExtension } from '../header-extensions.ts'
import { HEADER_BYTES, ONE_BYTE_EXTENSIONS } from '../rtp-packet.ts'

/** Units of abs-send-time: seconds in 24 bits, 18 of them for the fraction. They wrap around after 64 s. */
const UNITS_PER_MS = 2 ** 18 / 1000
const WRAP = 2 ** 24
const VALUE_BYTES = 3
/** The header of the extensions, and one extension of four bytes. */
const EXTENSION_BYTES = 8

/** Returns the time at which a client sent the packet, in the units of the extension; undefined without it. */
export function readSendTime(received: Buffer, id: number): number | undefined {
  const value = findExtension(received, id)
  return value?.length === VALUE_BYTES ? value.readUIntBE(0, VALUE_BYTES) : undefined
}

/** Returns the milliseconds from one send time to another, which may be earlier. */
export function msBetween(earlier: number, later: number): number {
  const units = (later - earlier + WRAP) % WRAP
  return (units < WRAP / 2 ? units : units - WRAP) / UNITS_PER_MS
}

/** Returns the time in the units of the extension. */
export function sendTimeOf(ms: number): number {
  return Math.round(ms * UNITS_PER_MS) % WRAP
}

/**
 * Returns a copy of a packet without extensions. The copy has room for one extension of up to three bytes.
 * @param allocate returns a buffer of this length, with any content
 */
export function withExtension(
  packet: Buffer,
  allocate: (length: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const copy = allocate(packet.length + EXTENSION_BYTES)
  packet.copy(copy, 0, 0, HEADER_BYTES)
  packet.copy(copy, HEADER_BYTES + EXTENSION_BYTES, HEADER_BYTES)
  copy[0] = (packet[0] ?? 0) | 0x10
  copy.writeUInt32BE(((ONE_BYTE_EXTENSIONS << 16) | 1) >>> 0, HEADER_BYTES)
  copy.writeUInt32BE(0, HEADER_BYTES + 4)
  return copy
}

/** Writes the send time into a packet made by `withExtension`. */
export function writeSendTime(packet: Buffer, id: number, nowMs: number): void {
  packet[HEADER_BYTES + 4] = (id << 4) | (VALUE_BYTES - 1)
  packet.writeUIntBE(sendTimeOf(nowMs), HEADER_BYTES + 5, VALUE_BYTES)
}

/** Writes the transport-wide sequence number, by which the client reports the packet's arrival. */
export function writeSequence(packet: Buffer, id: number, sequence: number): void {
  packet[HEADER_BYTES + 4] = (id << 4) | 1
  packet.writeUInt16BE(sequence, HEADER_BYTES + 5)
}
