import type { RtpPacket } from '@foyer/sdk/voice/rtp'
import { vp8PayloadsOf } from '@foyer/sdk/voice/vp8-payload'

interface WantedFrame {
  readonly isKeyFrame?: boolean
  readonly bytes?: number
  readonly fill?: number
  readonly size?: { width: number; height: number }
}

/** Returns a frame with a valid header (RFC 6386, 9.1). The rest of the frame is invalid, which only a decoder would notice. */
export function vp8Frame({
  isKeyFrame = false,
  bytes = 3000,
  fill = 1,
  size = { width: 640, height: 480 },
}: WantedFrame = {}): Uint8Array {
  const frame = Buffer.alloc(bytes, fill)
  const partitionBytes = Math.min(bytes - 10, 1000)
  frame[0] = (isKeyFrame ? 0 : 1) | 0x10 | ((partitionBytes & 7) << 5)
  frame.writeUInt16LE(partitionBytes >> 3, 1)
  if (!isKeyFrame) return frame
  frame.writeUIntBE(0x9d_01_2a, 3, 3)
  frame.writeUInt16LE(size.width, 6)
  frame.writeUInt16LE(size.height, 8)
  return frame
}

/** Returns the packets of frames, one after the other. */
export function packetsOf(frames: readonly Uint8Array[], firstSequence = 65_530): RtpPacket[] {
  const payloads = frames.flatMap((frame, at) =>
    vp8PayloadsOf(frame, at).map((payload, part, all) => ({
      payload,
      timestamp: at * 3000,
      marker: part === all.length - 1,
    })),
  )
  return payloads.map((packet, at) => ({ ...packet, ssrc: 5, sequence: (firstSequence + at) & 0xffff }))
}
