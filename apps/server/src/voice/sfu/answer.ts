import type { AudioLine, Offer } from './offer.ts'

/** Our own part of the answer. */
export interface LocalTransport {
  readonly ufrag: string
  readonly password: string
  readonly fingerprint: string
  readonly addresses: readonly string[]
  readonly port: number
}

/** Streams that clients assign to speakers: one per slot, in order. */
export interface SlotStream {
  readonly ssrc: number
}

const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']
const LEVEL_EXTENSION = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level'

/**
 * Rewrites the offer for the native library: without addresses, and with one line for all media of the transport.
 * With a line each, a client would cost nine tracks, without any gain.
 */
export function nativeOffer(offer: Offer): string {
  const payloadType = offer.lines.find(({ use }) => use !== 'unused')?.payloadType ?? 111
  return sdp([
    ...HEAD,
    'a=group:BUNDLE 0',
    `m=audio 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    `a=rtpmap:${payloadType} opus/48000/2`,
    `a=ice-ufrag:${offer.ufrag}`,
    `a=ice-pwd:${offer.password}`,
    `a=fingerprint:${offer.fingerprint}`,
    `a=setup:${offer.isActive ? 'active' : 'passive'}`,
  ])
}

/** Returns the complete answer for the client. Candidates are not sent separately. */
export function writeAnswer(offer: Offer, local: LocalTransport, streams: readonly SlotStream[]): string {
  const used = offer.lines.filter(({ use }) => use !== 'unused')
  const slots = offer.lines.filter(({ use }) => use === 'slot')
  return sdp([
    ...HEAD,
    `a=group:BUNDLE ${used.map(({ mid }) => mid).join(' ')}`,
    'a=msid-semantic: WMS *',
    ...offer.lines.flatMap((line) => [
      ...mediaRows(line, streams[slots.indexOf(line)]),
      ...(line.use === 'unused' ? [] : transportRows(offer, local)),
    ]),
  ])
}

function mediaRows(line: AudioLine, stream: SlotStream | undefined): string[] {
  const { use, mid, payloadType, protocol, levelExtension } = line
  if (use === 'unused') return [`m=audio 0 ${protocol} 0`, 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive']
  return [
    `m=audio 9 ${protocol} ${payloadType}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=rtpmap:${payloadType} opus/48000/2`,
    `a=fmtp:${payloadType} minptime=10;useinbandfec=1`,
    'a=rtcp-mux',
    ...(use === 'microphone' ? microphoneRows(levelExtension) : slotRows(mid, stream)),
  ]
}

function microphoneRows(levelExtension: number | undefined): string[] {
  const extension = levelExtension === undefined ? [] : [`a=extmap:${levelExtension} ${LEVEL_EXTENSION}`]
  return ['a=recvonly', ...extension]
}

function slotRows(mid: string, stream: SlotStream | undefined): string[] {
  if (!stream) return ['a=sendonly']
  const { ssrc } = stream
  return ['a=sendonly', `a=msid:slot-${mid} audio-${mid}`, `a=ssrc:${ssrc} cname:foyer-${mid}`]
}

function transportRows(
  offer: Offer,
  { ufrag, password, fingerprint, addresses, port }: LocalTransport,
): string[] {
  return [
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:${fingerprint}`,
    `a=setup:${offer.isActive ? 'passive' : 'active'}`,
    ...addresses.map((address, index) => candidate(address, port, index)),
    'a=end-of-candidates',
  ]
}

/** RFC 8445: type preference 126 for a host's own address. Clients try our first address first. */
function candidate(address: string, port: number, index: number): string {
  const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255
  return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`
}

function sdp(rows: readonly string[]): string {
  return `${rows.join('\r\n')}\r\n`
}
