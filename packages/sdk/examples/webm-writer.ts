import { open } from 'node:fs/promises'

export const VIDEO_TRACK = 1
export const AUDIO_TRACK = 2

type FileHandle = Awaited<ReturnType<typeof open>>

/** Maximum duration of a cluster. Block times in it have only 16 bits, and players seek to the start of clusters. */
const MAX_CLUSTER_MS = 5_000
/** A size that is unknown while the file is written. */
const UNKNOWN_SIZE = Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
const KEY_FRAME_FLAG = 0x80
/** RFC 7845, 5.1: version 1, two channels, nothing to skip, 48 kHz, no gain, no mapping. */
const OPUS_HEAD = Buffer.concat([Buffer.from('OpusHead'), Buffer.from('0102000080bb0000000000', 'hex')])

export interface Block {
  readonly track: typeof VIDEO_TRACK | typeof AUDIO_TRACK
  readonly atMs: number
  readonly isKeyFrame: boolean
  readonly data: Uint8Array
}

/** Writes a WebM file with one VP8 and one Opus track, block by block: https://www.webmproject.org/docs/container */
export class WebmWriter {
  readonly #file: FileHandle
  readonly #durationAt: number
  #writing: Promise<unknown>
  #clusterAt: number | undefined
  #endsAt = 0

  static async create(path: string, size: { width: number; height: number }): Promise<WebmWriter> {
    return new WebmWriter(await open(path, 'w'), headOf(size))
  }

  private constructor(file: FileHandle, head: Buffer) {
    this.#file = file
    this.#durationAt = head.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3
    this.#writing = file.write(head)
  }

  /** Blocks of one track must come in the order of their times. */
  write(block: Block): void {
    const isStart = block.track === VIDEO_TRACK && block.isKeyFrame
    const age = this.#clusterAt === undefined ? Number.POSITIVE_INFINITY : block.atMs - this.#clusterAt
    if (age > MAX_CLUSTER_MS || (isStart && age > MAX_CLUSTER_MS / 5)) this.#startCluster(block.atMs)
    this.#endsAt = Math.max(this.#endsAt, block.atMs)
    this.#append(blockOf(block, block.atMs - (this.#clusterAt ?? 0)))
  }

  /** Writes the duration, which is known only now, and closes the file. */
  async close(): Promise<void> {
    const duration = Buffer.alloc(8)
    duration.writeDoubleBE(this.#endsAt)
    await this.#writing
    await this.#file.write(duration, 0, duration.length, this.#durationAt)
    await this.#file.close()
  }

  #startCluster(atMs: number): void {
    this.#clusterAt = atMs
    this.#append(Buffer.concat([Buffer.from('1f43b675', 'hex'), UNKNOWN_SIZE, numberOf('e7', atMs)]))
  }

  #append(bytes: Buffer): void {
    this.#writing = this.#writing.then(() => this.#file.write(bytes))
  }
}

function headOf({ width, height }: { width: number; height: number }): Buffer {
  const types = [numberOf('4286', 1), numberOf('42f7', 1), numberOf('42f2', 4), numberOf('42f3', 8)]
  const kind = [element('4282', Buffer.from('webm')), numberOf('4287', 4), numberOf('4285', 2)]
  const names = [element('4d80', Buffer.from('Foyer')), element('5741', Buffer.from('Foyer'))]
  const info = element('1549a966', numberOf('2ad7b1', 1_000_000), element('4489', Buffer.alloc(8)), ...names)
  const video = element('e0', numberOf('b0', width), numberOf('ba', height))
  const rate = Buffer.alloc(4)
  rate.writeFloatBE(48_000)
  const audio = element('e1', element('b5', rate), numberOf('9f', 2))
  const tracks = [
    element('ae', ...trackOf(VIDEO_TRACK, 1, 'V_VP8'), video),
    element('ae', ...trackOf(AUDIO_TRACK, 2, 'A_OPUS'), element('63a2', OPUS_HEAD), audio),
  ]
  const segment = Buffer.concat([Buffer.from('18538067', 'hex'), UNKNOWN_SIZE])
  return Buffer.concat([
    element('1a45dfa3', ...types, ...kind),
    segment,
    info,
    element('1654ae6b', ...tracks),
  ])
}

function trackOf(track: number, type: number, codec: string): Buffer[] {
  return [
    numberOf('d7', track),
    numberOf('73c5', track),
    numberOf('83', type),
    element('86', Buffer.from(codec)),
  ]
}

function blockOf({ track, isKeyFrame, data }: Block, distanceMs: number): Buffer {
  const head = Buffer.from([0x80 | track, 0, 0, isKeyFrame ? KEY_FRAME_FLAG : 0])
  head.writeInt16BE(distanceMs, 1)
  return element('a3', head, data)
}

function numberOf(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(value, 0, 6)
  return element(id, bytes)
}

/**
 * Encodes an element: its id, its size, and its parts. A size of up to 126 bytes takes one byte, any other size takes
 * four.
 */
function element(id: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(body.length < 127 ? 1 : 4)
  if (size.length === 1) size[0] = 0x80 | body.length
  else size.writeUInt32BE((0x10_00_00_00 | body.length) >>> 0)
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}
