import { PICTURE_LINES, SCREEN_SOUND_SLOTS, VOICE_SLOTS } from '@foyer/protocol/voice'
import { type LineCodec, readCodecs } from './line-codecs.ts'
import { Refusal } from './refusal.ts'
import { attribute, attributes, encodingIn, valuesByType } from './sdp-rows.ts'

const LEVEL_EXTENSION = 'urn:ietf:params:rtp-hdrext:ssrc-audio-level'
/** Header extensions of pictures: MID (RFC 8843), RID (RFC 8852), and two for bandwidth estimation. */
export const PICTURE_EXTENSIONS = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  repairedRid: 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  sentAt: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
  sequence: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
} as const
/** Maximum simulcast layers of a picture. Further layers of an offer are ignored. */
const MAX_LAYERS = 3
/** RTCP feedback that the answer accepts, if the client offers it. */
const FEEDBACK = ['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc'] as const

/**
 * Use of an m-line. `slot`: receives one speaker at a time. `soundSlot`: receives a screen's audio. `pictureSlot`:
 * receives a camera or screen. `unused`: beyond the supported number, or not usable.
 */
export type LineUse =
  | 'microphone'
  | 'slot'
  | 'screenSound'
  | 'soundSlot'
  | 'camera'
  | 'screen'
  | 'pictureSlot'
  | 'unused'

/** Ids of the header extensions; undefined for an extension that the client does not offer. */
export type PictureExtensions = Readonly<Record<keyof typeof PICTURE_EXTENSIONS, number | undefined>>

export interface MediaLine {
  readonly kind: 'audio' | 'video'
  readonly mid: string
  readonly use: LineUse
  /** Payload type of Opus, or of the first of `codecs`. */
  readonly payloadType: number
  /** Codecs of a picture. Senders begin with the first. Empty for audio. */
  readonly codecs: readonly LineCodec[]
  readonly protocol: string
  readonly levelExtension: number | undefined
  readonly extensions: PictureExtensions
  /** RIDs of the simulcast layers (RFC 8853): streams of one picture in several sizes. Empty for a single stream. */
  readonly layers: readonly string[]
  /** SSRC of the client's own stream, if the offer has one. */
  readonly ssrc: number | undefined
  /** SSRC of the client's own RTX stream, if the offer has one. */
  readonly repairSsrc: number | undefined
  readonly feedback: readonly string[]
}

type Direction = 'sends' | 'receives'
type Uses = Readonly<Record<MediaLine['kind'], Readonly<Record<Direction, readonly LineUse[]>>>>

/** The uses of the m-lines of each kind and direction, in the order of the offer. */
const VOICE_ONLY: Uses = {
  audio: { sends: ['microphone'], receives: repeated('slot', VOICE_SLOTS) },
  video: { sends: [], receives: [] },
}
const WITH_VIDEO: Uses = {
  audio: {
    sends: ['microphone', 'screenSound'],
    receives: [...repeated('slot', VOICE_SLOTS), ...repeated('soundSlot', SCREEN_SOUND_SLOTS)],
  },
  video: { sends: ['camera', 'screen'], receives: repeated('pictureSlot', PICTURE_LINES) },
}

/**
 * Reads the media lines of an offer.
 * @throws Refusal invalid_offer
 */
export function readLines(media: readonly string[][]): MediaLine[] {
  const uses = media.some(([head]) => head?.startsWith('m=video ')) ? WITH_VIDEO : VOICE_ONLY
  const taken = { audio: { sends: 0, receives: 0 }, video: { sends: 0, receives: 0 } }
  const lines = media.map((rows) => {
    const { direction, line } = readLine(rows)
    if (direction === undefined) return line
    const use = uses[line.kind][direction][taken[line.kind][direction]] ?? 'unused'
    taken[line.kind][direction] += 1
    return { ...line, use: isKnowable(use, line) ? use : ('unused' as const) }
  })
  if (new Set(lines.map(({ mid }) => mid)).size < lines.length)
    throw new Refusal('invalid_offer', 'two media lines have the same mid')
  checkStreams(lines)
  return lines
}

/** Returns whether the client sends in lines of this use. */
export function isSending(use: LineUse): boolean {
  return use === 'microphone' || use === 'screenSound' || use === 'camera' || use === 'screen'
}

/**
 * Returns whether the packets of the line can be recognized: lines share payload types, so all but the microphone need
 * an SSRC or RIDs.
 */
function isKnowable(use: LineUse, { ssrc, layers }: MediaLine): boolean {
  return use === 'microphone' || !isSending(use) || ssrc !== undefined || layers.length > 0
}

function checkStreams(lines: readonly MediaLine[]): void {
  const ssrcs = lines
    .filter(({ use }) => isSending(use))
    .flatMap(({ ssrc, repairSsrc }) => [ssrc ?? [], repairSsrc ?? []].flat())
  if (new Set(ssrcs).size < ssrcs.length)
    throw new Refusal('invalid_offer', 'two streams of the offer have the same ssrc')
}

/** Reads an m-line. The direction is undefined if the line cannot be used. */
function readLine(rows: readonly string[]): { direction: Direction | undefined; line: MediaLine } {
  const [, found, port = '0', protocol = ''] =
    /^m=(audio|video) (\d+) (UDP\/TLS\/RTP\/SAVPF?)( |$)/.exec(rows[0] ?? '') ?? []
  const mid = /^[\w.-]{1,32}$/.exec(attribute(rows, 'mid') ?? '')
  if (!mid || protocol === '')
    throw new Refusal('invalid_offer', 'a media line has no mid, or is not for DTLS')
  const kind = found === 'video' ? 'video' : 'audio'
  const streams = kind === 'audio' ? soundOf(rows) : pictureOf(rows)
  const payloadType = kind === 'audio' ? opusType(rows) : streams.codecs[0]?.payloadType
  const line: MediaLine = {
    ...{ kind, protocol, mid: mid[0], payloadType: payloadType ?? 0, use: 'unused' },
    ...streams,
    levelExtension: extensionId(rows, LEVEL_EXTENSION),
    feedback: feedbackOf(rows, payloadType),
  }
  const isUsable = payloadType !== undefined && !isRejected(rows, port)
  return { direction: isUsable ? directionOf(rows) : undefined, line }
}

function opusType(rows: readonly string[]): number | undefined {
  const found = [...valuesByType(rows, 'rtpmap')].find(([, value]) => encodingIn(value) === 'opus/48000/2')
  return found?.[0]
}

type Streams = Pick<MediaLine, 'codecs' | 'ssrc' | 'repairSsrc' | 'layers' | 'extensions'>

function soundOf(rows: readonly string[]): Streams {
  const { ssrc } = streamsOf(rows)
  return { codecs: [], ssrc, repairSsrc: undefined, layers: [], extensions: NO_EXTENSIONS }
}

const NO_EXTENSIONS: PictureExtensions = {
  mid: undefined,
  rid: undefined,
  repairedRid: undefined,
  sentAt: undefined,
  sequence: undefined,
}

/**
 * Reads a video m-line. SSRCs of simulcast layers are learned from packets, so RTX is refused unless its packets name
 * their layer.
 */
function pictureOf(rows: readonly string[]): Streams {
  const { mid, rid, repairedRid, sentAt, sequence } = PICTURE_EXTENSIONS
  const extensions = {
    mid: extensionId(rows, mid),
    rid: extensionId(rows, rid),
    repairedRid: extensionId(rows, repairedRid),
    sentAt: extensionId(rows, sentAt),
    sequence: extensionId(rows, sequence),
  }
  const layers = extensions.mid === undefined || extensions.rid === undefined ? [] : layersOf(rows)
  const codecs = readCodecs(rows)
  if (layers.length === 0) return { codecs, layers, extensions, ...streamsOf(rows) }
  const hasRepairs = extensions.repairedRid !== undefined
  return {
    codecs: hasRepairs ? codecs : codecs.map((codec) => ({ ...codec, repairType: undefined })),
    ...{ layers, extensions, ssrc: undefined, repairSsrc: undefined },
  }
}

/** Reads a=simulcast (RFC 8853): the RIDs after `send`. A comma separates alternatives, `~` marks a paused stream. */
function layersOf(rows: readonly string[]): string[] {
  const [, list = ''] = /(?:^| )send (\S+)/.exec(attribute(rows, 'simulcast') ?? '') ?? []
  const named = list.split(';').flatMap((stream) => /^~?([\w-]{1,16})(?:,|$)/.exec(stream)?.[1] ?? [])
  const known = named.filter((rid) =>
    rows.some((row) => row === `a=rid:${rid} send` || row.startsWith(`a=rid:${rid} send `)),
  )
  return [...new Set(known)].slice(0, MAX_LAYERS)
}

/** Port 0 rejects an m-line, except with a=bundle-only, as Firefox sends it: RFC 9143, 7.2.1. */
function isRejected(rows: readonly string[], port: string): boolean {
  return port === '0' && !rows.includes('a=bundle-only')
}

function directionOf(rows: readonly string[]): Direction | undefined {
  if (rows.includes('a=recvonly')) return 'receives'
  return rows.includes('a=inactive') ? undefined : 'sends'
}

/** Returns the SSRCs of the line's first stream and of its RTX stream. */
function streamsOf(rows: readonly string[]) {
  const [group] = attributes(rows, 'ssrc-group').filter((value) => value.startsWith('FID '))
  const [, main, repair] = /^FID (\d{1,10}) (\d{1,10})$/.exec(group ?? '') ?? []
  const first = /^\d{1,10}/.exec(attribute(rows, 'ssrc') ?? '')?.[0]
  return { ssrc: ssrcOf(main ?? first), repairSsrc: ssrcOf(repair) }
}

function ssrcOf(text: string | undefined): number | undefined {
  const ssrc = Number(text)
  return ssrc > 0 && ssrc < 2 ** 32 ? ssrc : undefined
}

function feedbackOf(rows: readonly string[], payloadType: number | undefined): readonly string[] {
  const offered = new Set(attributes(rows, 'rtcp-fb'))
  return FEEDBACK.filter((name) => offered.has(`${payloadType} ${name}`) || offered.has(`* ${name}`))
}

/** Returns the id of a header extension, from 1 to 14: only these fit into one-byte headers, the kind we read. */
function extensionId(rows: readonly string[], name: string): number | undefined {
  return attributes(rows, 'extmap')
    .filter((value) => value.split(' ')[1] === name)
    .map((value) => Number(/^\d{1,3}/.exec(value)))
    .find((id) => id >= 1 && id <= 14)
}

function repeated(use: LineUse, count: number): LineUse[] {
  return Array.from({ length: count }, () => use)
}
