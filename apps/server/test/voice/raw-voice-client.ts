import { randomBytes, randomInt } from 'node:crypto'
import { VOICE_SLOTS } from '@foyer/protocol/voice'
import { Audio, PeerConnection, type Track } from 'node-datachannel'
import type { MediaRights } from '#src/voice/engine.ts'
import { layeredLine, videoRows } from './picture-room.ts'
import type { SfuProcess } from './sfu-process.ts'
import type { Exchange } from './voice-peer.ts'
import { vp8Packet } from './vp8-packets.ts'

const PAYLOAD_TYPE = 111
const LEVEL_EXTENSION = 'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level'
/** Payload size of an audio packet of 20 ms, at 32 kbit/s. */
const PAYLOAD_BYTES = 80
const FRAME_TICKS = 960
const SPEECH_LEVEL = 20
const HEADER_BYTES = 20
const TRIES = 5
const MAX_MS_TO_CONNECT = 3000

/** Mid of the camera's m-line. */
export const CAMERA_MID = 'cam'

export interface RawVideo {
  /** True if the client offers m-lines for its own camera and for the cameras of others. */
  readonly hasVideo?: boolean
  /** Names of the camera's layers. */
  readonly layers?: readonly string[]
  readonly pictureSlots?: number
  /** Rows to append to the offer, for additional m-lines. */
  readonly rows?: readonly string[]
  /** Changes the server's answer, so that the client connects to another port. */
  readonly lead?: (answer: string) => string
}

/**
 * Cheap client for load tests and misbehavior: it sends packets on demand and has one native track instead of one per
 * slot. VoicePeer behaves like a browser.
 */
export class RawVoiceClient {
  readonly ssrc = randomInt(1, 2 ** 32)
  /** SSRC of the camera, if the client has one. The next number is the SSRC of its retransmissions. */
  readonly cameraSsrc = randomInt(1, 2 ** 31)
  /** SDP of the server. */
  answer = ''
  readonly #video: RawVideo
  readonly #connection = new PeerConnection('raw', { iceServers: [], disableAutoNegotiation: true })
  readonly #track: Track
  readonly #packet = Buffer.alloc(HEADER_BYTES + PAYLOAD_BYTES)
  #isClosed = false
  #sequence = randomInt(2 ** 15)
  #timestamp = randomInt(2 ** 31)

  /** Joins. Retries if the connection does not open, which happens to one in a hundred of these clients. */
  static async enter(
    sfu: SfuProcess,
    [name, roomId]: readonly [name: string, roomId: string],
    rights: Partial<MediaRights> = {},
    video: RawVideo = {},
  ): Promise<RawVoiceClient> {
    for (let tries = 1; ; tries += 1) {
      const client = new RawVoiceClient(video)
      await sfu.join(name, roomId, rights)
      if (await client.#connect((offer) => sfu.signal(name, offer))) return client
      client.close()
      if (tries === TRIES) throw new Error('the client cannot connect')
    }
  }

  private constructor(video: RawVideo) {
    this.#video = video
    const audio = new Audio('0', 'SendRecv')
    audio.addOpusCodec(PAYLOAD_TYPE)
    this.#track = this.#connection.addTrack(audio)
    // Without listeners for their end, the track and the connection would keep the process running until they are
    // garbage-collected.
    this.#track.onClosed(() => undefined)
    this.#connection.onStateChange(() => undefined)
    this.#writeFixedParts()
  }

  onPacket(listener: (packet: Buffer) => void): void {
    this.#track.onMessage(listener)
  }

  /** Sends a frame of speech. It contains the time at which it was sent. */
  speak(): void {
    this.send(this.#nextFrame())
  }

  /**
   * Sends a frame of speech.
   * @returns false if the connection is closed
   */
  tryToSpeak(): boolean {
    try {
      this.speak()
      return true
    } catch {
      return false
    }
  }

  /**
   * Sends a packet of the camera.
   * @returns false if the connection is closed
   */
  tryToShow(sequence: number): boolean {
    try {
      this.send(vp8Packet({ sequence: sequence & 0xffff, ssrc: this.cameraSsrc, isKeyFrame: true }))
      return true
    } catch {
      return false
    }
  }

  /** Returns a frame without sending it, for tests that corrupt it. */
  frame(): Buffer {
    return Buffer.from(this.#nextFrame())
  }

  send(packet: Buffer): void {
    this.#track.sendMessageBinary(packet)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#track.close()
    this.#connection.close()
  }

  #nextFrame(): Buffer {
    const packet = this.#packet
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#timestamp = (this.#timestamp + FRAME_TICKS) >>> 0
    packet.writeUInt16BE(this.#sequence, 2)
    packet.writeUInt32BE(this.#timestamp, 4)
    packet.writeBigUInt64BE(process.hrtime.bigint(), HEADER_BYTES)
    return packet
  }

  #writeFixedParts(): void {
    this.#packet[0] = 0x90
    this.#packet[1] = PAYLOAD_TYPE
    this.#packet.writeUInt32BE(this.ssrc, 8)
    this.#packet.writeUInt32BE(0xbe_de_00_01, 12)
    this.#packet[16] = 0x10
    this.#packet[17] = SPEECH_LEVEL
    randomBytes(PAYLOAD_BYTES).copy(this.#packet, HEADER_BYTES)
  }

  async #connect(exchange: Exchange): Promise<boolean> {
    const connected = this.#whenConnected()
    this.#connection.setLocalDescription('offer')
    const own = this.#connection.localDescription()?.sdp ?? ''
    const answer = await exchange(this.#offer(own))
    this.answer = this.#video.lead?.(answer) ?? answer
    this.#connection.setRemoteDescription(asOneLine(this.answer), 'answer')
    return connected
  }

  #whenConnected(): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = setTimeout(() => resolve(false), MAX_MS_TO_CONNECT)
      this.#track.onOpen(() => {
        clearTimeout(timeout)
        resolve(true)
      })
    })
  }

  #offer(own: string): string {
    const transport = ['ice-ufrag', 'ice-pwd', 'fingerprint'].map((name) => rowOf(own, name))
    const lines = Array.from({ length: VOICE_SLOTS + 1 }, (_, mid) => [
      ...audioRows(String(mid), mid === 0 ? 'sendonly' : 'recvonly'),
      ...transport,
      'a=setup:actpass',
      ...(mid === 0 ? [LEVEL_EXTENSION, `a=ssrc:${this.ssrc} cname:raw`] : []),
    ])
    const pictures = this.#video.hasVideo ? pictureLines(this.cameraSsrc, this.#video) : []
    return sdp([...lines.flat(), ...pictures, ...(this.#video.rows ?? [])])
  }
}

/** Returns the m-lines of the camera, and of slots for the cameras of others. */
function pictureLines(ssrc: number, { layers, pictureSlots = 1 }: RawVideo): string[] {
  const camera =
    layers === undefined
      ? [
          ...videoRows(CAMERA_MID, 'sendonly'),
          `a=ssrc-group:FID ${ssrc} ${ssrc + 1}`,
          `a=ssrc:${ssrc} cname:raw`,
        ]
      : layeredLine(CAMERA_MID, layers)
  const slots = Array.from({ length: pictureSlots }, (_, slot) => videoRows(`picture-${slot}`, 'recvonly'))
  return [...camera, ...slots.flat()]
}

/** Returns the milliseconds since a packet that has just arrived was sent by `speak`. */
export function delayMs(packet: Buffer): number {
  return Number(process.hrtime.bigint() - packet.readBigUInt64BE(12)) / 1e6
}

function asOneLine(answer: string): string {
  const copied = ['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup', 'candidate'].map((name) =>
    rowOf(answer, name),
  )
  return sdp([...audioRows('0', 'sendrecv'), ...copied])
}

function audioRows(mid: string, direction: string): string[] {
  return [
    `m=audio 9 UDP/TLS/RTP/SAVPF ${PAYLOAD_TYPE}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${direction}`,
    'a=rtcp-mux',
    `a=rtpmap:${PAYLOAD_TYPE} opus/48000/2`,
  ]
}

function rowOf(text: string, name: string): string {
  const row = text.split(/\r?\n/).find((candidate) => candidate.startsWith(`a=${name}:`))
  if (row === undefined) throw new Error(`no ${name} in the description`)
  return row
}

function sdp(rows: readonly string[]): string {
  return `${['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', ...rows].join('\r\n')}\r\n`
}
