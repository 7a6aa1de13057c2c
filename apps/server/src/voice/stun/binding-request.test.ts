import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test } from 'node:test'
import { isSignedWith, lacksTieBreaker, readBindingRequest, withTieBreaker } from './binding-request.ts'
import { Attribute, type AttributeValue, decodeStun, encodeStun, StunType } from './stun.ts'

const PASSWORD = 'a password of the answer'
const USER: AttributeValue = [Attribute.username, Buffer.from('ours:theirs')]

function request(tieBreaker: Buffer, role: number = Attribute.iceControlling, password = PASSWORD): Buffer {
  return encodeStun(StunType.binding, [USER, [role, tieBreaker]], password)
}

function parsed(packet: Buffer) {
  const found = readBindingRequest(packet)
  assert.ok(found)
  return found
}

test('VTCP-4: a tie-breaker of zero gets a value, in a request whose signature and checksum are right again', () => {
  const tieBreaker = randomBytes(8)
  for (const role of [Attribute.iceControlling, Attribute.iceControlled]) {
    const packet = request(Buffer.alloc(8), role)
    assert.equal(lacksTieBreaker(packet, parsed(packet)), true)
    const changed = withTieBreaker(packet, parsed(packet), { tieBreaker, password: PASSWORD })
    assert.deepEqual(decodeStun(changed)?.attributes.get(role), tieBreaker)
    assert.equal(isSignedWith(changed, parsed(changed), PASSWORD), true)
    // As though the client had written it: only the transaction differs.
    const own = encodeStun(StunType.binding, [USER, [role, tieBreaker]], PASSWORD)
    packet.copy(own, 8, 8, 20)
    const again = withTieBreaker(own, parsed(own), { tieBreaker, password: PASSWORD })
    assert.deepEqual(changed, again)
  }
})

test('VTCP-4: a request with a tie-breaker is not touched', () => {
  const packet = request(randomBytes(8))
  assert.equal(lacksTieBreaker(packet, parsed(packet)), false)
})

test('VTCP-2: a request names its session, and proves it with the password of the answer', () => {
  const packet = request(randomBytes(8))
  assert.equal(parsed(packet).ufrag, 'ours')
  assert.equal(isSignedWith(packet, parsed(packet), PASSWORD), true)
  assert.equal(isSignedWith(packet, parsed(packet), 'another'), false)
  const forged = Buffer.from(packet)
  forged.writeUInt8(forged.readUInt8(30) ^ 1, 30)
  assert.equal(isSignedWith(forged, parsed(forged), PASSWORD), false)
})

test('VTCP-2: anything else is no request: unsigned, anonymous, of another type, cut, or longer than it says', () => {
  const whole = request(randomBytes(8))
  const others = [
    encodeStun(StunType.binding, [USER]),
    encodeStun(StunType.binding, [], PASSWORD),
    encodeStun(StunType.allocate, [USER], PASSWORD),
    Buffer.concat([whole, Buffer.alloc(4)]),
    ...Array.from({ length: whole.length }, (_, bytes) => whole.subarray(0, bytes)),
  ]
  for (const packet of others) assert.equal(readBindingRequest(packet), undefined)
})

test('VTCP-2: spoilt requests prove nothing, and break nothing', () => {
  const whole = request(Buffer.alloc(8))
  const signed = parsed(whole).integrityAt + 24
  for (let round = 0; round < 5000; round += 1) {
    const spoilt = Buffer.from(whole)
    const at = randomInt(signed)
    spoilt.writeUInt8(spoilt.readUInt8(at) ^ randomInt(1, 256), at)
    const found = readBindingRequest(spoilt)
    // Only the length is not signed as it is sent: it is measured up to the signature.
    assert.equal(found !== undefined && isSignedWith(spoilt, found, PASSWORD), false, `byte ${at}`)
  }
})
