import assert from 'node:assert/strict'
import { pictureCodecs } from '@foyer/protocol/voice'
import { findExtension } from '#src/voice/sfu/header-extensions.ts'
import { endOfExtensions, isRtcp, RtpPacket, ssrcOf } from '#src/voice/sfu/rtp-packet.ts'
import { Splice } from '#src/voice/sfu/splice.ts'
import { FrameReader, frameOf, MAX_FRAME_BYTES } from '#src/voice/sfu/tcp/frames.ts'
import { Gaps } from '#src/voice/sfu/video/gaps.ts'
import { PicturePacket } from '#src/voice/sfu/video/picture-packet.ts'
import { PictureSplice } from '#src/voice/sfu/video/picture-splice.ts'
import { PacketRing } from '#src/voice/sfu/video/ring.ts'
import {
  isSignedWith,
  lacksTieBreaker,
  readBindingRequest,
  withTieBreaker,
} from '#src/voice/stun/binding-request.ts'
import { Attribute, addressIn, decodeStun, errorCodeOf, isSuccess } from '#src/voice/stun/stun.ts'
import type { Random } from '../../fuzz/random.ts'
import { below } from './mutations.ts'
import { PASSWORD, PICTURES, SOUNDS, STUN_MESSAGES } from './seeds.ts'

/** A parser of bytes from the network, with the code that uses its results. */
export interface FuzzTarget {
  readonly name: string
  /** Valid packets to mutate. */
  readonly seeds: readonly Buffer[]
  take(bytes: Buffer, random: Random): void
}

const MAX_FORWARDED_BYTES = 1400

/** Target for RTP packets of audio, and their header extensions. */
export function soundTarget(): FuzzTarget {
  const packet = new RtpPacket()
  const splice = new Splice({ ssrc: 1, payloadType: 111, sequence: 5, timestamp: 6 })
  let nowMs = 0
  return {
    name: 'sound',
    seeds: SOUNDS,
    take(bytes) {
      nowMs += 20
      isRtcp(bytes)
      ssrcOf(bytes)
      assert.ok(endOfExtensions(bytes, 12) >= 0)
      for (const id of [1, 2, 14]) assert.ok((findExtension(bytes, id)?.length ?? 0) <= 16)
      if (!packet.read(bytes, 1)) return
      assert.ok(packet.level >= 0 && packet.level <= 127)
      if (splice.write(packet, nowMs)) assert.ok(packet.bytes.length > 12)
    },
  }
}

const ALL_CODECS = pictureCodecs.map((name, at) => ({
  name,
  payloadType: 97 + 2 * at,
  repairType: 98 + 2 * at,
}))

/** Target for RTP packets of video, the beginnings of their payloads, and the packets kept for retransmission. */
export function pictureTarget(): FuzzTarget {
  const stream = { ssrc: 1, codecs: ALL_CODECS, sequence: 0, timestamp: 0 }
  const splice = new PictureSplice({ ...stream, repair: { ssrc: 2, payloadType: 98, sequence: 0 } })
  const ring = new PacketRing()
  const gaps = new Gaps()
  let nowMs = 0
  let next = new PicturePacket()
  return {
    name: 'picture',
    seeds: PICTURES,
    take(bytes, random) {
      nowMs += 1
      const packet = next
      const codec = pictureCodecs[below(random, pictureCodecs.length)] ?? 'VP8'
      packet.receivedAt = nowMs
      if (!packet.read(bytes, codec, random.isWithin(0.3))) return
      gaps.receive(packet.sequence, nowMs)
      next = ring.put(packet)
      if (splice.write(packet, nowMs)) assert.ok(packet.bytes.length <= MAX_FORWARDED_BYTES)
      splice.repairOf(packet)
      assert.ok(gaps.due(nowMs).length <= 100)
      assert.ok(ring.size <= 1024)
    },
  }
}

/** Target for STUN: requests that any client can send over TCP, and answers of STUN servers that Foyer tests. */
export function stunTarget(): FuzzTarget {
  const tieBreaker = Buffer.alloc(8, 1)
  return {
    name: 'stun',
    seeds: STUN_MESSAGES,
    take(bytes) {
      const message = decodeStun(bytes)
      if (message) {
        isSuccess(message)
        errorCodeOf(message)
        addressIn(message, Attribute.xorMappedAddress)
      }
      const request = readBindingRequest(bytes)
      if (request === undefined) return
      isSignedWith(bytes, request, PASSWORD)
      if (!lacksTieBreaker(bytes, request)) return
      const changed = withTieBreaker(bytes, request, { tieBreaker, password: PASSWORD })
      assert.equal(changed.length, bytes.length)
      assert.ok(isSignedWith(changed, request, PASSWORD))
    },
  }
}

/** Target for TCP frames, in pieces of any size. */
export function tcpTarget(): FuzzTarget {
  let reader = new FrameReader()
  return {
    name: 'tcp',
    seeds: [...PICTURES.slice(0, 2).map(frameOf), frameOf(Buffer.alloc(0)), frameOf(Buffer.alloc(1200, 3))],
    take(bytes, random) {
      const cut = below(random, bytes.length + 1)
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        reader.add(piece)
        let next = reader.next()
        for (; typeof next !== 'string'; next = reader.next()) assert.ok(next.length <= MAX_FRAME_BYTES)
        if (next === 'oversized') reader = new FrameReader()
      }
    },
  }
}
