import { MAX_VOICE_SDP_CHARACTERS, VOICE_SLOTS } from '@foyer/protocol/voice'
import { Refusal } from './refusal.ts'

const MAX_LINES = 500
const MAX_MEDIA_LINES = 40
const LEVEL_EXTENSION = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level'
/** RFC 5761: these payload types cannot be distinguished from RTCP on the same port. */
const RTCP_PAYLOAD_TYPES = { first: 64, last: 95 }
const HASH_BYTES = new Map([
  ['sha-256', 32],
  ['sha-384', 48],
  ['sha-512', 64],
])

/** The part of an offer that is used. Candidates are not: we only send to clients that have contacted us. */
export interface Offer {
  readonly ufrag: string
  readonly password: string
  readonly fingerprint: string
  /**
   * True if the client insists on starting DTLS. Otherwise we start it: ICE completes last here, and earlier packets of
   * a client would be lost, which costs a client of this native library a second.
   */
  readonly isActive: boolean
  readonly lines: readonly AudioLine[]
}

export interface AudioLine {
  readonly mid: string
  /** `slot`: receives one speaker at a time. `unused`: a line beyond the supported number. */
  readonly use: 'microphone' | 'slot' | 'unused'
  readonly payloadType: number
  readonly protocol: string
  readonly levelExtension: number | undefined
  /** Source of the client's own stream, if the offer names it. */
  readonly ssrc: number | undefined
}

/**
 * Reads the offer of a join. It only interprets the parts of SDP that we answer.
 * @throws Refusal invalid_offer
 */
export function readOffer(sdp: string): Offer {
  if (sdp.length > MAX_VOICE_SDP_CHARACTERS) throw invalid('the offer is too long')
  const rows = sdp.split(/\r?\n/).filter((row) => row !== '')
  if (rows[0] !== 'v=0' || !rows.every((row) => /^[a-z]=/.test(row)))
    throw invalid('the offer is not valid SDP')
  if (rows.length > MAX_LINES) throw invalid(`the offer has over ${MAX_LINES} lines`)
  const { session, media } = sectionsOf(rows)
  if (media.length === 0) throw invalid('the offer has no audio')
  if (media.length > MAX_MEDIA_LINES) throw invalid(`the offer has over ${MAX_MEDIA_LINES} media lines`)
  if (!media.every(([head]) => head?.startsWith('m=audio ')))
    throw invalid('the offer may only contain audio')
  const lines = audioLines(media)
  if (lines.every(({ use }) => use === 'unused')) throw invalid('the offer has no audio')
  return { ...transportOf(session, media[0] ?? []), lines }
}

function sectionsOf(rows: readonly string[]): { session: string[]; media: string[][] } {
  const session: string[] = []
  const media: string[][] = []
  for (const row of rows) {
    if (row.startsWith('m=')) media.push([])
    const section = media.at(-1) ?? session
    section.push(row)
  }
  return { session, media }
}

/** All lines are bundled, and share the transport of the first. */
function transportOf(session: readonly string[], first: readonly string[]): Omit<Offer, 'lines'> {
  const rows = [...first, ...session]
  const ufrag = /^[A-Za-z0-9+/]{4,256}$/.exec(attribute(rows, 'ice-ufrag') ?? '')
  const password = /^[A-Za-z0-9+/]{22,256}$/.exec(attribute(rows, 'ice-pwd') ?? '')
  if (!ufrag || !password) throw invalid('the offer has no ice-ufrag and ice-pwd')
  return {
    ufrag: ufrag[0],
    password: password[0],
    fingerprint: fingerprintOf(rows),
    isActive: attribute(rows, 'setup') === 'active',
  }
}

function fingerprintOf(rows: readonly string[]): string {
  for (const value of attributes(rows, 'fingerprint')) {
    const [algorithm = '', digest = ''] = value.split(' ')
    const isDigest = /^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2})+$/.test(digest)
    if (isDigest && digest.length === (HASH_BYTES.get(algorithm.toLowerCase()) ?? 0) * 3 - 1) {
      return `${algorithm.toLowerCase()} ${digest.toUpperCase()}`
    }
  }
  throw invalid('the offer has no fingerprint')
}

function audioLines(media: readonly string[][]): AudioLine[] {
  const counts = { microphone: 0, slot: 0 }
  const most = { microphone: 1, slot: VOICE_SLOTS }
  const lines = media.map((rows) => {
    const line = audioLine(rows)
    if (line.use === 'unused') return line
    counts[line.use] += 1
    return counts[line.use] > most[line.use] ? { ...line, use: 'unused' as const } : line
  })
  if (new Set(lines.map(({ mid }) => mid)).size < lines.length)
    throw invalid('two media lines have the same mid')
  return lines
}

function audioLine(rows: readonly string[]): AudioLine {
  const [, port = '0', protocol = ''] =
    /^m=audio (\d+) (UDP\/TLS\/RTP\/SAVPF?)( |$)/.exec(rows[0] ?? '') ?? []
  const mid = /^[\w.-]{1,32}$/.exec(attribute(rows, 'mid') ?? '')
  if (!mid || protocol === '') throw invalid('a media line has no mid, or is not for DTLS')
  const payloadType = opusPayloadType(rows)
  const ssrc = Number(/^\d{1,10}/.exec(attribute(rows, 'ssrc') ?? ''))
  return {
    mid: mid[0],
    use: isRejected(rows, port) || payloadType === undefined ? 'unused' : useOf(rows),
    payloadType: payloadType ?? 0,
    protocol,
    levelExtension: levelExtension(rows),
    ssrc: ssrc > 0 && ssrc < 2 ** 32 ? ssrc : undefined,
  }
}

/** Port 0 rejects a line, unless the line exists only within the bundle, as in Firefox: RFC 9143, 7.2.1. */
function isRejected(rows: readonly string[], port: string): boolean {
  return port === '0' && !rows.includes('a=bundle-only')
}

function useOf(rows: readonly string[]): AudioLine['use'] {
  if (rows.includes('a=recvonly')) return 'slot'
  return rows.includes('a=inactive') ? 'unused' : 'microphone'
}

function opusPayloadType(rows: readonly string[]): number | undefined {
  const { first, last } = RTCP_PAYLOAD_TYPES
  return attributes(rows, 'rtpmap')
    .map((value) => Number(/^(\d{1,3}) opus\/48000\/2$/i.exec(value)?.[1]))
    .find((type) => type <= 127 && !(type >= first && type <= last))
}

/** An extension with a one-byte header, the kind we read: 1 to 14. */
function levelExtension(rows: readonly string[]): number | undefined {
  return attributes(rows, 'extmap')
    .filter((value) => value.split(' ')[1] === LEVEL_EXTENSION)
    .map((value) => Number(/^\d{1,3}/.exec(value)))
    .find((id) => id >= 1 && id <= 14)
}

function attribute(rows: readonly string[], name: string): string | undefined {
  return attributes(rows, name)[0]
}

function attributes(rows: readonly string[], name: string): string[] {
  const start = `a=${name}:`
  return rows.filter((row) => row.startsWith(start)).map((row) => row.slice(start.length))
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_offer', message)
}
