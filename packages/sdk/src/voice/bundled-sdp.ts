import type { OwnSources } from './own-sources.ts'
import { OPUS_PAYLOAD_TYPE, VP8_PAYLOAD_TYPE } from './rtp.ts'

/** The common transport of all m-lines: ICE and DTLS attributes and candidates, as described by either side. */
interface Transport {
  readonly rows: readonly string[]
}

const SOUND_ROWS = [`a=rtpmap:${OPUS_PAYLOAD_TYPE} opus/48000/2`]
/** Attributes of video. No RTX (RFC 4588): lost packets are resent unchanged. */
const PICTURE_ROWS = [
  `a=rtpmap:${VP8_PAYLOAD_TYPE} VP8/90000`,
  ...['nack', 'nack pli', 'ccm fir'].map((name) => `a=rtcp-fb:${VP8_PAYLOAD_TYPE} ${name}`),
]
const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']

/** Numbers of receive-only m-lines that a grant requires in the offer. */
export interface GrantedLines {
  readonly slots: number
  /** Null if the server carries no pictures. */
  readonly video: { readonly slots: number; readonly sounds: number } | null
}

/** One m-line of the offer: a stream to send, or a slot. */
type Line = { readonly kind: 'audio' | 'video' } & ({ readonly ssrc: number } | Slot)

/** An m-line that the server fills with changing streams: of voices, of screen sounds, or of pictures. */
export interface Slot {
  readonly use: 'voice' | 'sound' | 'picture'
  readonly slot: number
}

/** Returns the m-lines in the order in which the server reads them. */
export function linesOf({ slots, video }: GrantedLines, own: OwnSources): readonly Line[] {
  const voices: Line[] = [{ kind: 'audio', ssrc: own.microphone }, ...slotsFor('voice', slots)]
  if (video === null) return voices
  return [
    ...voices,
    { kind: 'audio', ssrc: own.sound },
    ...slotsFor('sound', video.sounds),
    { kind: 'video', ssrc: own.camera },
    { kind: 'video', ssrc: own.screen },
    ...slotsFor('picture', video.slots),
  ]
}

function slotsFor(use: Slot['use'], count: number): Line[] {
  const kind = use === 'picture' ? 'video' : 'audio'
  return Array.from({ length: count }, (_, slot) => ({ kind, use, slot }))
}

/** Converts the native library's offer for the server: its only m-line becomes the given m-lines, on the same transport. */
export function offerOf(native: string, lines: readonly Line[]): string {
  const { rows } = transportOf(native)
  return sdp([
    ...HEAD,
    `a=group:BUNDLE ${[...lines.keys()].join(' ')}`,
    ...[...lines.entries()].flatMap(([mid, line]) => [
      ...mediaRows(line.kind, String(mid), 'ssrc' in line ? 'sendonly' : 'recvonly'),
      ...rows,
      ...('ssrc' in line ? [`a=ssrc:${line.ssrc} cname:foyer`] : []),
    ]),
  ])
}

/** Converts the server's answer for the native library. */
export function nativeAnswerOf(answer: string): string {
  return sdp([
    ...HEAD,
    'a=group:BUNDLE 0',
    ...mediaRows('audio', '0', 'sendrecv'),
    ...transportOf(answer).rows,
  ])
}

/** Maps the SSRCs of the server's packets to their slots. */
export function slotStreamsOf(answer: string, lines: readonly Line[]): Map<number, Slot> {
  const sections = answer.split(/^m=/m).slice(1)
  return new Map(
    lines.flatMap((line, at) => {
      const ssrc = /^a=ssrc:(\d+)/m.exec(sections[at] ?? '')?.[1]
      return ssrc === undefined || !('use' in line) ? [] : [[Number(ssrc), line] as const]
    }),
  )
}

function mediaRows(kind: Line['kind'], mid: string, direction: string): string[] {
  const payloadType = kind === 'audio' ? OPUS_PAYLOAD_TYPE : VP8_PAYLOAD_TYPE
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtcp-mux',
    ...(kind === 'audio' ? SOUND_ROWS : PICTURE_ROWS),
  ]
}

/** Returns each attribute once, because bundled m-lines repeat them, and all different candidates. */
function transportOf(description: string): Transport {
  const rows = description.split(/\r?\n/)
  const first = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'].flatMap(
    (name) => rows.find((row) => row.startsWith(`a=${name}:`)) ?? [],
  )
  const candidates = rows.filter((row) => row.startsWith('a=candidate:'))
  return { rows: [...first, ...new Set(candidates)] }
}

function sdp(rows: readonly string[]): string {
  return `${rows.join('\r\n')}\r\n`
}
