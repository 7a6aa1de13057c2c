import type { IceServer, VoiceSlot } from '@foyer/protocol/voice'
import type { IceServer as NativeIceServer, PeerConnection, Track } from 'node-datachannel'
import { nativeAnswerOf, offerOf, slotStreamsOf } from './bundled-sdp.ts'
import type { DriverEvents, MediaDriver } from './driver.ts'
import { OPUS_PAYLOAD_TYPE, type RtpPacket, readRtp, writeRtp } from './rtp.ts'

/** The parts of the library in use. */
export type DataChannelModule = Pick<typeof import('node-datachannel'), 'PeerConnection' | 'Audio'>

export interface DataChannelEvents extends DriverEvents {
  /** A received Opus frame. The timestamp increases by 48 per millisecond, and wraps at 2³². */
  received(userId: string, frame: Uint8Array, timestamp: number): void
}

export interface DataChannelOptions {
  readonly module: DataChannelModule
  readonly iceServers: readonly IceServer[]
  readonly slots: number
  readonly ssrc: number
  readonly events: DataChannelEvents
}

/** The media of one session in Node, as packets. */
export class DataChannelDriver implements MediaDriver {
  readonly mendsItself = false
  readonly hasVideo = false
  readonly #events: DataChannelEvents
  readonly #connection: PeerConnection
  readonly #track: Track
  readonly #speakers = new Map<number, string>()
  #slotsBySsrc: ReadonlyMap<number, number> = new Map()
  #isClosed = false

  constructor({ module, iceServers, slots, ssrc, events }: DataChannelOptions) {
    this.#events = events
    this.#connection = new module.PeerConnection('bot', {
      iceServers: iceServers.flatMap(nativeIceServers),
      disableAutoNegotiation: true,
    })
    const audio = new module.Audio('0', 'SendRecv')
    audio.addOpusCodec(OPUS_PAYLOAD_TYPE)
    audio.addSSRC(ssrc, 'foyer')
    this.#track = this.#connection.addTrack(audio)
    this.#connection.onStateChange((state) => this.#guard(() => this.#handleState(state)))
    // Without a listener for its end, a track keeps the process running and leaks memory.
    this.#track.onClosed(() => undefined)
    this.#track.onMessage((bytes) => this.#guard(() => this.#receive(bytes)))
    this.#connection.setLocalDescription('offer')
    // Deferred, because the caller that opens the driver registers its events only afterwards.
    queueMicrotask(() => this.#guard(() => this.#offer({ slots, ssrc })))
  }

  takeAnswer(sdp: string): void {
    this.#guard(() => {
      this.#slotsBySsrc = slotStreamsOf(sdp)
      this.#connection.setRemoteDescription(nativeAnswerOf(sdp), 'answer')
    })
  }

  takeSlots(slots: readonly VoiceSlot[]): void {
    for (const { slot, user_id } of slots) {
      if (user_id === null) this.#speakers.delete(slot)
      else this.#speakers.set(slot, user_id)
    }
  }

  /** Its offer has no lines for pictures. */
  takePictures(): void {}

  /** @returns whether it was sent, as far as one can know */
  send(packet: RtpPacket): boolean {
    return !this.#isClosed && this.#track.isOpen() && this.#track.sendMessageBinary(writeRtp(packet))
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // The order matters: a track that outlives its connection is never freed.
    this.#track.close()
    this.#connection.close()
  }

  #offer(line: { slots: number; ssrc: number }): void {
    const native = this.#connection.localDescription()?.sdp
    if (native === undefined) this.#events.lost()
    else this.#events.offer(offerOf(native, line))
  }

  #handleState(state: string): void {
    if (state === 'connected') this.#events.up()
    if (['disconnected', 'failed', 'closed'].includes(state)) this.#events.lost()
  }

  #receive(bytes: Buffer): void {
    const packet = readRtp(bytes)
    const slot = packet && this.#slotsBySsrc.get(packet.ssrc)
    const userId = slot === undefined ? undefined : this.#speakers.get(slot)
    if (packet !== undefined && userId !== undefined)
      this.#events.received(userId, packet.payload, packet.timestamp)
  }

  /** An exception in a callback of the native library would abort the process, so it is rethrown later. */
  #guard(act: () => void): void {
    try {
      if (!this.#isClosed) act()
    } catch (error) {
      setImmediate(() => {
        throw error
      })
    }
  }
}

/** The library takes the parts of an address separately. */
function nativeIceServers({ urls, username, credential }: IceServer): (string | NativeIceServer)[] {
  return urls.flatMap((url): (string | NativeIceServer)[] => {
    const [, scheme, hostname, port] = /^(stun|turn|turns):([^:?]+)(?::(\d+))?/.exec(url) ?? []
    if (hostname === undefined || scheme === undefined) return []
    if (scheme === 'stun') return [`stun:${hostname}:${port ?? 3478}`]
    return [
      {
        hostname,
        port: Number(port ?? (scheme === 'turns' ? 5349 : 3478)),
        ...(username === undefined ? {} : { username }),
        ...(credential === undefined ? {} : { password: credential }),
        relayType: relayTypeOf(scheme, url),
      },
    ]
  })
}

function relayTypeOf(scheme: string, url: string): 'TurnUdp' | 'TurnTcp' | 'TurnTls' {
  if (scheme === 'turns') return 'TurnTls'
  return url.includes('transport=tcp') ? 'TurnTcp' : 'TurnUdp'
}
