import { Attribute, addressValue, decodeStun, encodeStun, StunType } from './stun.ts'

const SUCCESS = StunType.binding | 0x100

export interface MappedAddress {
  readonly address: string
  readonly port: number
}

/**
 * Replaces the client's address (XOR-MAPPED-ADDRESS) in the answer to a binding request, and signs the answer again. Returns
 * other packets unchanged.
 */
export function withMappedAddress(
  packet: Buffer,
  { address, port }: MappedAddress,
  password: string,
): Buffer {
  if (packet.length < 2 || packet.readUInt16BE(0) !== SUCCESS) return packet
  const message = decodeStun(packet)
  if (!message?.attributes.has(Attribute.xorMappedAddress)) return packet
  const mapped = addressValue(address, port, message.transaction)
  const values = [...message.attributes].filter(([type]) => !REPLACED.has(type))
  return encodeStun(SUCCESS, [[Attribute.xorMappedAddress, mapped], ...values], password, message.transaction)
}

const REPLACED = new Set<number>([
  Attribute.xorMappedAddress,
  Attribute.messageIntegrity,
  Attribute.fingerprint,
])
