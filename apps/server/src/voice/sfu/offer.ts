import { MAX_VOICE_SDP_CHARACTERS } from '@foyer/protocol/voice'
import { type MediaLine, readLines } from './offer-lines.ts'
import { Refusal } from './refusal.ts'
import { attribute, attributes } from './sdp-rows.ts'

/** Maximum SDP lines of an offer. Browsers write about 35 for each of up to 24 m-lines, and more with further codecs. */
const MAX_LINES = 2500
const MAX_MEDIA_LINES = 40
const HASH_BYTES = new Map([
  ['sha-256', 32],
  ['sha-384', 48],
  ['sha-512', 64],
])

/** The parts of an offer that we use. Candidates are ignored, because we only send to clients that have contacted us. */
export interface Offer {
  readonly ufrag: string
  readonly password: string
  readonly fingerprint: string
  /**
   * True if the client insists on starting DTLS. Otherwise the server starts it: ICE completes later on the server than
   * on the client, so the client's first DTLS packets would be lost. This would delay a client with the same native
   * library by a second.
   */
  readonly isActive: boolean
  readonly lines: readonly MediaLine[]
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
  if (!media.every(([head = '']) => /^m=(audio|video) /.test(head)))
    throw invalid('the offer may only contain audio and video')
  const lines = readLines(media)
  if (!lines.some(({ kind, use }) => kind === 'audio' && use !== 'unused'))
    throw invalid('the offer has no audio')
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

/** Returns the transport of the first m-line: all m-lines are bundled, and share it. */
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

function invalid(message: string): Refusal {
  return new Refusal('invalid_offer', message)
}
