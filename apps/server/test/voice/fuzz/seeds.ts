import {
  writeBandwidth,
  writeMissing,
  writePictureLoss,
  writeReceiverReport,
  writeSenderReport,
} from '#src/voice/sfu/video/rtcp.ts'
import { Attribute, encodeStun, StunType } from '#src/voice/stun/stun.ts'
import { sampledPacket } from '../codec-packets.ts'
import { clientTime } from '../extended-report.ts'
import { EXTENSIONS, REPAIR_TYPE } from '../picture-room.ts'
import { ReportingViewer } from '../reporting-viewer.ts'
import { vp8Packet } from '../vp8-packets.ts'

export const PASSWORD = 'zyxwvutsrqponmlkjihgfe'
export const CAMERA_SSRC = 77
/** Id of the header extension with the transport-wide sequence number of a packet. */
export const SEQUENCE_EXTENSION = 3
const SOUND_TYPE = 111

/** Audio packets: with a level, with contributors, and with padding. */
export const SOUNDS: readonly Buffer[] = [
  sound([0x90], [0xbe, 0xde, 0, 1, 0x10, 30, 0, 0]),
  sound([0x82], [0, 0, 0, 1, 0, 0, 0, 2]),
  sound([0xa0], [], [0, 0, 0, 4]),
  sound([0x90], [0x10, 0, 0, 1, 1, 1, 30, 0]),
]

function sound(first: readonly number[], header: readonly number[], padding: readonly number[] = []): Buffer {
  const fixed = Buffer.alloc(12)
  fixed[0] = first[0] ?? 0
  fixed[1] = SOUND_TYPE
  fixed.writeUInt32BE(9, 8)
  return Buffer.concat([fixed, Buffer.from(header), Buffer.alloc(80, 7), Buffer.from(padding)])
}

const named = (rid: string) => ({ [EXTENSIONS.mid]: 'cam', [EXTENSIONS.rid]: rid })

/** Video packets: of a single stream, of layers, retransmitted, and without payload. */
export const PICTURES: readonly Buffer[] = [
  vp8Packet({ sequence: 1, isKeyFrame: true, height: 360, isLast: true }),
  vp8Packet({ sequence: 2, isFirst: false, isLast: true }),
  vp8Packet({ sequence: 3, ssrc: CAMERA_SSRC + 1, payloadType: REPAIR_TYPE, repairs: 1 }),
  ...['q', 'h', 'f'].map((rid, at) =>
    vp8Packet({
      ...{ sequence: at, ssrc: 100 + at, isKeyFrame: true },
      height: 180 << at,
      extensions: named(rid),
    }),
  ),
  vp8Packet({
    ...{ sequence: 9, ssrc: 110, payloadType: REPAIR_TYPE, repairs: 1 },
    extensions: { [EXTENSIONS.mid]: 'cam', [EXTENSIONS.repairedRid]: 'q', [EXTENSIONS.sentAt]: 'abc' },
  }),
  Buffer.concat([
    Buffer.from([0xa0, 96, 0, 5, 0, 0, 0, 0, 0, 0, 0, CAMERA_SSRC]),
    Buffer.alloc(3),
    Buffer.from([4]),
  ]),
  ...codecPackets(),
]

/** Packets of the codecs other than VP8: key frames of a single stream and of a layer, and other frames. */
function codecPackets(): Buffer[] {
  return (['VP9', 'H264', 'AV1'] as const).flatMap((codec, at) => [
    sampledPacket(codec, 360, { sequence: 20 + at }),
    sampledPacket(codec, 'later', { sequence: 30 + at }),
    sampledPacket(codec, 720, { sequence: 40 + at, ssrc: 102, extensions: named('f') }),
  ])
}

const BLOCK = { fractionLost: 3, lost: 4, highestSequence: 5, jitter: 6, lastReport: 7, delay: 8 }
const NTP = { seconds: 3_900_000_000, fraction: 1, timestamp: 90_000 }

/**
 * Returns reports of a client.
 * @param ssrc a stream that the client receives
 */
export function reportsAbout(ssrc: number): Buffer[] {
  const loss = writePictureLoss(1, ssrc)
  const intra = Buffer.concat([writePictureLoss(1, 0), Buffer.from([0, 0, 0, ssrc & 0xff, 1, 0, 0, 0])])
  intra[0] = 0x84
  intra.writeUInt16BE(intra.length / 4 - 1, 2)
  intra.writeUInt32BE(ssrc, 12)
  const receiver = writeReceiverReport(1, [{ ssrc, ...BLOCK }])
  const missing = writeMissing(1, ssrc, [7, 8, 9, 500])
  return [
    loss,
    intra,
    receiver,
    missing,
    writeSenderReport(CAMERA_SSRC, { ...NTP, packets: 5, octets: 6 }),
    writeBandwidth(1, 900_000, [ssrc]),
    Buffer.concat([receiver, missing, loss, writeBandwidth(1, 6_500_000, [ssrc])]),
    arrivals(),
    clientTime(1, 0xab_cd_01_23),
  ]
}

/** Returns a report of the arrival times of thirty packets, some of which are missing. */
function arrivals(): Buffer {
  const viewer = new ReportingViewer(SEQUENCE_EXTENSION)
  for (let sequence = 0; sequence < 30; sequence += 1) {
    const packet = Buffer.alloc(20)
    packet[0] = 0x90
    packet.writeUInt32BE(0xbe_de_00_01, 12)
    packet[16] = (SEQUENCE_EXTENSION << 4) | 1
    packet.writeUInt16BE(sequence, 17)
    if (sequence % 7 !== 3) viewer.receive(packet, 1000 + sequence * 5)
  }
  const report = viewer.report(2000)
  if (report === undefined) throw new Error('there is no report')
  return report
}

/** Messages of STUN, as clients and servers send them. */
export const STUN_MESSAGES: readonly Buffer[] = [
  encodeStun(
    StunType.binding,
    [
      [Attribute.username, Buffer.from('abcd:efgh')],
      [Attribute.iceControlling, Buffer.alloc(8)],
      [Attribute.priority, Buffer.alloc(4, 1)],
    ],
    PASSWORD,
  ),
  encodeStun(StunType.binding | 0x100, [
    [Attribute.xorMappedAddress, Buffer.from([0, 1, 5, 6, 7, 8, 9, 10])],
  ]),
  encodeStun(StunType.allocate | 0x110, [[Attribute.errorCode, Buffer.from([0, 0, 4, 1])]]),
].map(withFixedTransaction)

/** Replaces the random transaction id, because a run must be repeatable. */
function withFixedTransaction(message: Buffer): Buffer {
  return message.fill(5, 8, 20)
}
