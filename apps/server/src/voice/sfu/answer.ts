import { isAllowedPlace, isLoopback } from '#src/kernel/voice-addresses.ts'
import { codecRows } from './line-codecs.ts'
import type { Offer } from './offer.ts'
import { isSending, type MediaLine, PICTURE_EXTENSIONS, type PictureExtensions } from './offer-lines.ts'

/** The server's transport parameters in the answer. */
export interface LocalTransport {
  readonly ufrag: string
  readonly password: string
  readonly fingerprint: string
  readonly addresses: readonly string[]
  /** The part of `addresses` that the operator has configured. */
  readonly publicIps: readonly string[]
  readonly port: number
  /** Undefined if no TCP port is open. */
  readonly tcpPort?: number | undefined
}

/** The stream that a client receives in one m-line, with one speaker or picture at a time. */
export interface SlotStream {
  readonly ssrc: number
  /** SSRC of the RTX stream; undefined without RTX. */
  readonly repairSsrc?: number | undefined
  /**
   * Index of the audio and video pair to which the stream belongs. Both m-lines get the same msid, so browsers play
   * them in sync.
   */
  readonly pair: number
}

const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']
/**
 * Maximum TCP candidates for addresses of this machine, besides public and loopback ones. A client connects to each
 * candidate from each of its own addresses. The native library counts every such connection as a peer-reflexive
 * candidate. The library keeps few of these per client, and UDP needs some of them.
 */
const MAX_OWN_TCP_ADDRESSES = 2
const LEVEL_EXTENSION = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level'

/**
 * Rewrites the offer for the native library: without candidates, and with a single m-line for all media. With all
 * m-lines, the library would need a track for each of them, without any gain.
 */
export function nativeOffer(offer: Offer): string {
  const payloadType = soundType(offer)
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

/** Returns the payload type of Opus. */
export function soundType({ lines }: Offer): number {
  return lines.find(({ kind, use }) => kind === 'audio' && use !== 'unused')?.payloadType ?? 111
}

/** Returns the answer to the client. It has all candidates: there is no trickle ICE. */
export function writeAnswer(
  offer: Offer,
  local: LocalTransport,
  streams: ReadonlyMap<string, SlotStream>,
): string {
  const used = offer.lines.filter(({ use }) => use !== 'unused')
  return sdp([
    ...HEAD,
    `a=group:BUNDLE ${used.map(({ mid }) => mid).join(' ')}`,
    'a=msid-semantic: WMS *',
    ...offer.lines.flatMap((line) => [
      ...mediaRows(line, streams.get(line.mid)),
      ...(line.use === 'unused' ? [] : transportRows(offer, local, line === used[0])),
    ]),
  ])
}

function mediaRows(line: MediaLine, stream: SlotStream | undefined): string[] {
  const { kind, use, mid, protocol } = line
  if (use === 'unused') return [`m=${kind} 0 ${protocol} 0`, 'c=IN IP4 0.0.0.0', `a=mid:${mid}`, 'a=inactive']
  return [
    `m=${kind} 9 ${protocol} ${typesOf(line).join(' ')}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    ...(kind === 'audio' ? soundRows(line) : pictureRows(line)),
    'a=rtcp-mux',
    ...(isSending(use) ? ['a=recvonly'] : slotRows(line, stream)),
  ]
}

function typesOf({ kind, payloadType, codecs }: MediaLine): number[] {
  if (kind === 'audio') return [payloadType]
  return codecs.flatMap((codec) => [codec.payloadType, codec.repairType ?? []].flat())
}

function soundRows({ use, payloadType, levelExtension }: MediaLine): string[] {
  const measures = use === 'microphone' && levelExtension !== undefined
  return [
    `a=rtpmap:${payloadType} opus/48000/2`,
    `a=fmtp:${payloadType} minptime=10;useinbandfec=1`,
    ...(measures ? [`a=extmap:${levelExtension} ${LEVEL_EXTENSION}`] : []),
  ]
}

function pictureRows(line: MediaLine): string[] {
  const { codecs, layers } = line
  return [
    ...codecs.flatMap((codec) => codecRows(codec, feedbackOf(line))),
    ...extensionRows(line),
    ...layers.map((rid) => `a=rid:${rid} recv`),
    ...(layers.length > 0 ? [`a=simulcast:recv ${layers.join(';')}`] : []),
  ]
}

/**
 * Returns the kinds of RTCP feedback. For media that the client sends, transport-cc is left out: with it, Chrome would
 * ignore our estimates (REMB). For media that the client receives, `rrtr` is added, although the offer does not name
 * it: Chrome then sends its time (RFC 3611), and computes the round trip from our answer. Clients ignore kinds that
 * they do not know.
 */
function feedbackOf({ use, feedback }: MediaLine): string[] {
  if (isSending(use)) return feedback.filter((name) => name !== 'transport-cc')
  return feedback.includes('nack') ? [...feedback, 'rrtr'] : [...feedback]
}

/** Returns the header extensions: MID and RIDs for simulcast only, transport-cc only for media that the client receives. */
function extensionRows({ use, extensions, layers }: MediaLine): string[] {
  const { mid, rid, repairedRid, sentAt, sequence } = extensions
  const used: Partial<PictureExtensions> = {
    sentAt,
    ...(layers.length > 0 ? { mid, rid, repairedRid } : {}),
    ...(isSending(use) ? {} : { sequence }),
  }
  return (['mid', 'rid', 'repairedRid', 'sentAt', 'sequence'] as const).flatMap((name) =>
    used[name] === undefined ? [] : [`a=extmap:${used[name]} ${PICTURE_EXTENSIONS[name]}`],
  )
}

function slotRows({ kind, mid }: MediaLine, stream: SlotStream | undefined): string[] {
  if (!stream) return ['a=sendonly']
  const { ssrc, repairSsrc, pair } = stream
  const name = `cname:foyer-${pair}`
  const group =
    repairSsrc === undefined ? [] : [`a=ssrc-group:FID ${ssrc} ${repairSsrc}`, `a=ssrc:${repairSsrc} ${name}`]
  return ['a=sendonly', `a=msid:pair-${pair} ${kind}-${mid}`, `a=ssrc:${ssrc} ${name}`, ...group]
}

function transportRows(offer: Offer, local: LocalTransport, isFirst: boolean): string[] {
  const { ufrag, password, fingerprint, addresses, port } = local
  const udp = udpCandidates(addresses, port)
  return [
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:${fingerprint}`,
    `a=setup:${offer.isActive ? 'passive' : 'active'}`,
    ...udp,
    // TCP candidates are only in the first m-line, which carries the transport of the whole bundle.
    ...(isFirst ? tcpCandidates(local, udp.length) : []),
    'a=end-of-candidates',
  ]
}

/** RFC 8445: type preference 126 for a host's own address. Clients try our first address first. */
function udpCandidates(addresses: readonly string[], port: number): string[] {
  const allowed = addresses.filter((address) => isAllowedPlace(address, port))
  return allowed.map((address, index) => {
    const priority = 126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255
    return `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`
  })
}

/** RFC 6544: passive, so that clients connect. Priority is below all UDP, because TCP waits for lost packets. */
function tcpCandidates({ addresses, publicIps, tcpPort }: LocalTransport, before: number): string[] {
  if (tcpPort === undefined) return []
  const allowed = addresses.filter((address) => isAllowedPlace(address, tcpPort))
  const own = allowed.filter((address) => !publicIps.includes(address) && !isLoopback(address))
  const spare = own.slice(MAX_OWN_TCP_ADDRESSES)
  const chosen = allowed.filter((address) => !spare.includes(address))
  return chosen.map((address, index) => {
    const priority = 90 * 2 ** 24 + (4 * 2 ** 13 + 8191 - index) * 2 ** 8 + 255
    return `a=candidate:${before + index + 1} 1 tcp ${priority} ${address} ${tcpPort} typ host tcptype passive`
  })
}

function sdp(rows: readonly string[]): string {
  return `${rows.join('\r\n')}\r\n`
}
