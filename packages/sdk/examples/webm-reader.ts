const IDS = {
  header: 0x1a_45_df_a3,
  scale: 0x2a_d7_b1,
  trackNumber: 0xd7,
  codec: 0x86,
  time: 0xe7,
  simpleBlock: 0xa3,
  block: 0xa1,
}
/** Elements with children: segment, tracks and their entries, clusters, block groups. Sizes are ignored: they may be unknown. */
const MASTERS = new Set([0x18_53_80_67, 0x16_54_ae_6b, 0xae, 0x1f_43_b6_75, 0xa0])
const LACING = 0x06
const NS_PER_MS = 1_000_000

export interface WebmFrame {
  readonly atMs: number
  readonly data: Uint8Array
}

export interface Webm {
  /** Frames of the first track with VP8. */
  readonly video: readonly WebmFrame[]
  /** Frames of the first track with Opus. */
  readonly audio: readonly WebmFrame[]
}

/**
 * Reads a WebM file, such as those that browsers record.
 * @throws Error if the file is not WebM, or has no frames in VP8
 */
export function readWebm(file: Buffer): Webm {
  if (file.length < 4 || file.readUInt32BE(0) !== IDS.header) throw new Error('this is not a WebM file')
  const frames = new Map<number, WebmFrame[]>()
  const codecs = new Map<number, string>()
  let [scale, track, clusterAt] = [NS_PER_MS, 0, 0]
  for (const { id, body } of elementsOf(file)) {
    if (id === IDS.scale) scale = numberIn(body)
    if (id === IDS.trackNumber) track = numberIn(body)
    if (id === IDS.codec) codecs.set(track, body.toString('latin1'))
    if (id === IDS.time) clusterAt = numberIn(body)
    if (id !== IDS.simpleBlock && id !== IDS.block) continue
    const { number, distance, data } = readBlock(body)
    const ofTrack = frames.get(number) ?? []
    frames.set(number, ofTrack)
    ofTrack.push({ atMs: ((clusterAt + distance) * scale) / NS_PER_MS, data })
  }
  const framesOf = (codec: string) =>
    frames.get([...codecs].find(([, name]) => name === codec)?.[0] ?? -1) ?? []
  const video = framesOf('V_VP8')
  if (video.length === 0) throw new Error('the file has no picture in VP8')
  return { video, audio: framesOf('A_OPUS') }
}

function* elementsOf(file: Buffer): Generator<{ id: number; body: Buffer }> {
  for (let at = 0; at < file.length; ) {
    const idBytes = lengthAt(file, at, 4)
    const sizeBytes = lengthAt(file, at + idBytes)
    const bodyAt = at + idBytes + sizeBytes
    if (bodyAt > file.length) return
    const id = file.readUIntBE(at, idBytes)
    const size = sizeAt(file, at + idBytes, sizeBytes)
    if (!MASTERS.has(id) && bodyAt + size > file.length) return
    if (!MASTERS.has(id)) yield { id, body: file.subarray(bodyAt, bodyAt + size) }
    at = MASTERS.has(id) ? bodyAt : bodyAt + size
  }
}

/** Returns the length of a variable-size integer, in bytes: its leading zero bits plus one. */
function lengthAt(file: Buffer, at: number, max = 8): number {
  const bytes = Math.clz32(file[at] ?? 0xff) - 23
  if (bytes > max) throw new Error('the WebM file is damaged')
  return bytes
}

/** Reads a variable-size integer, up to 48 bits. Only the unknown sizes of MASTERS have more, and they are ignored. */
function sizeAt(file: Buffer, at: number, bytes: number): number {
  const low = Math.min(6, bytes)
  const size = file.readUIntBE(at + bytes - low, low)
  return bytes > 6 ? size : size % 2 ** (7 * bytes)
}

function numberIn(body: Buffer): number {
  return body.length === 0 ? 0 : body.readUIntBE(Math.max(0, body.length - 6), Math.min(6, body.length))
}

function readBlock(body: Buffer): { number: number; distance: number; data: Buffer } {
  const bytes = lengthAt(body, 0)
  const flags = body[bytes + 2] ?? 0
  if ((flags & LACING) !== 0) throw new Error('several frames in one block are not supported')
  return {
    number: sizeAt(body, 0, bytes),
    distance: body.readInt16BE(bytes),
    data: body.subarray(bytes + 3),
  }
}
