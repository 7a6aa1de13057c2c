import type { PictureCodec } from '@foyer/protocol/voice'
import { type PacketHeader, withHeader, writeFixedHeader } from './vp8-packets.ts'

/** Beginnings of payloads from Chromium 153, in hexadecimal: of a key frame's first packet, by height, or of a later packet. */
export const PAYLOADS = {
  VP9: {
    180: '9f9cd810014000b4834983420013f00b3827f8167870e090',
    360: '9b9cd81002800168834983420027f0167827f81679d8e090',
    720: '9bb42d10050002d083498342004ff02cf1d8e09070668000',
    later: '959cd88b68d89af0e49d2dc123cdf6e49987b6df403e3d24',
  },
  H264: {
    180: '7800126742c0158c68141979e6a0c0c0c0f08846a0000468',
    360: '7800136742c01f8c680a02ff966a0c0c0c0f08846a00000468ce3c80',
    720: '7800126742c0208c6805005ba6a0c0c0c0f08846a0000468ce3c80',
    later: '7c85b80004043f2ffdc9ea28001cafc002e6e55307cc63fe',
  },
  AV1: {
    180: '280b08000000043cfecc01a00830104c8029a69a458f9d00',
    360: '280b080000000cc4ff6700680230104d0030c30c05b19400',
    720: '680c080000002d4cffb3c01a008030104d0030c30c05b194',
    later: '9027491597bdc868db45bb1c0d4f6c12fdf63caeaeb15834',
  },
} as const satisfies Partial<Record<PictureCodec, Record<number | 'later', string>>>

export type SampledCodec = keyof typeof PAYLOADS
/** Payload types in the m-lines of `withAllCodecs`. The RTX stream of a codec has the next payload type. */
export const PAYLOAD_TYPES = { VP8: 96, VP9: 98, H264: 102, AV1: 45 } as const satisfies Record<
  PictureCodec,
  number
>

const PARAMETERS = {
  VP9: 'profile-id=0',
  H264: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  AV1: 'level-idx=5;profile=0;tier=0',
} as const satisfies Record<SampledCodec, string>

/** Adds the other codecs to a VP8 m-line, as Chromium offers them. */
export function withAllCodecs([head = '', ...rows]: readonly string[]): string[] {
  const more = (['VP9', 'H264', 'AV1'] as const).flatMap((codec) => {
    const type = PAYLOAD_TYPES[codec]
    const repair = [`a=rtpmap:${type + 1} rtx/90000`, `a=fmtp:${type + 1} apt=${type}`]
    return [`a=rtpmap:${type} ${codec}/90000`, `a=fmtp:${type} ${PARAMETERS[codec]}`, ...repair]
  })
  return [`${head} 98 99 102 103 45 46`, ...rows, ...more]
}

export function payloadOf(codec: SampledCodec, kind: 180 | 360 | 720 | 'later'): Buffer {
  return Buffer.from(PAYLOADS[codec][kind], 'hex')
}

/** Returns a packet with a payload of PAYLOADS. */
export function sampledPacket(
  codec: SampledCodec,
  kind: 180 | 360 | 720 | 'later',
  header: PacketHeader,
): Buffer {
  const start = Buffer.alloc(12)
  writeFixedHeader(start, header, header.payloadType ?? PAYLOAD_TYPES[codec])
  return withHeader(Buffer.concat([start, payloadOf(codec, kind)]), header)
}
