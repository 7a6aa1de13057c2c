import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withMappedAddress } from './binding-answer.ts'
import { Attribute, addressIn, decodeStun, encodeStun, StunType } from './stun.ts'

const PASSWORD = 'the password of the answer'
const SUCCESS = StunType.binding | 0x100
const MAPPED = [Attribute.xorMappedAddress, Buffer.alloc(8, 1)] as const

function addressWith(address: string): string | undefined {
  const answer = withMappedAddress(encodeStun(SUCCESS, [MAPPED], PASSWORD), { address, port: 5 }, PASSWORD)
  const message = decodeStun(answer)
  return message && addressIn(message, Attribute.xorMappedAddress)
}

test('VTCP-4: an answer gets an address of IPv4, also one that is mapped to IPv6, or of IPv6', () => {
  assert.equal(addressWith('198.51.100.7'), '198.51.100.7')
  assert.equal(addressWith('::ffff:198.51.100.7'), '198.51.100.7')
  assert.equal(addressWith('2001:db8::7'), '2001:db8::7')
})

test('VTCP-4: other packets stay as they are', () => {
  const request = encodeStun(StunType.binding, [MAPPED], PASSWORD)
  const withoutAddress = encodeStun(SUCCESS, [], PASSWORD)
  const media = Buffer.alloc(40, 0x80)
  const cut = encodeStun(SUCCESS, [MAPPED], PASSWORD).subarray(0, 30)
  for (const packet of [request, withoutAddress, media, cut, Buffer.alloc(0), Buffer.from([1])])
    assert.equal(withMappedAddress(packet, { address: '198.51.100.7', port: 5 }, PASSWORD), packet)
})
