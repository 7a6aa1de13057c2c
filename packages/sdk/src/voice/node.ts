import type { VoiceGrant } from '@foyer/protocol/voice'
import type { Client } from '../client.ts'
import { Listeners } from '../listeners.ts'
import { VoiceConnection } from './connection.ts'
import { DataChannelDriver, type DataChannelModule } from './datachannel-driver.ts'
import type { DriverEvents } from './driver.ts'
import { OpusSender } from './opus-sender.ts'
import type { VoiceSelf, VoiceStatus, VoiceTarget } from './status.ts'
import { usualVoiceTimings } from './voice-timings.ts'

/** @param timestamp increases by 48 per millisecond, and wraps at 2³² */
export type OpusListener = (userId: string, frame: Uint8Array, timestamp: number) => void

/** About one in a hundred joins of the native library fails on any network, so it is repeated soon. */
const TIMINGS = { ...usualVoiceTimings, mediaTimeoutMs: 3_000, mediaAttempts: 4 }
const MAX_FRAME_BYTES = 1275

/**
 * Joins a room, or the call of a conversation, for a program that encodes and decodes Opus itself. Needs
 * `node-datachannel`, and a server that carries voice itself. Resolves when media flows.
 * @throws VoiceError with the reason
 */
export async function joinVoice(
  { gateway }: Pick<Client, 'gateway'>,
  place: VoiceTarget,
  self: VoiceSelf = {},
): Promise<BotVoice> {
  const voice = new BotVoice(gateway, await import('node-datachannel'))
  await voice.join(place, self)
  return voice
}

/** A bot in voice. It reconnects by itself, like any client, until it leaves or is no longer allowed in. */
export class BotVoice {
  readonly #connection: VoiceConnection<DataChannelDriver>
  readonly #module: DataChannelModule
  readonly #listeners = new Listeners<Parameters<OpusListener>>()
  readonly #ssrc = 1 + Math.floor(Math.random() * (2 ** 32 - 2))
  readonly #sender = new OpusSender(this.#ssrc, (packet) => this.#connection.driver?.send(packet) ?? false)

  constructor(gateway: Client['gateway'], module: DataChannelModule) {
    this.#module = module
    this.#connection = new VoiceConnection({
      gateway,
      timings: TIMINGS,
      open: (grant, events) => this.#open(grant, events),
    })
  }

  get status(): VoiceStatus {
    return this.#connection.status
  }

  /** Calls the listener with every new status. @returns a function that removes the listener */
  onStatus(listener: (status: VoiceStatus) => void): () => void {
    return this.#connection.onStatus(listener)
  }

  /** Joins another channel, or rejoins the last one. Resolves when media flows. @throws VoiceError */
  join(place: VoiceTarget, self: VoiceSelf = {}): Promise<void> {
    return this.#connection.join(place, self)
  }

  setSelf(self: VoiceSelf): void {
    this.#connection.setSelf(self)
  }

  /**
   * Queues a frame, which is sent after the earlier ones have played. Frames sent in real time are not delayed. To send a
   * longer recording, queue all frames at once or await each.
   * @param frame one Opus packet of any duration
   * @returns false if it was dropped: there is no media, or more than 30 s of audio are queued
   */
  sendOpus(frame: Uint8Array): Promise<boolean> {
    if (frame.length === 0 || frame.length > MAX_FRAME_BYTES)
      throw new RangeError(`an Opus frame must have 1 to ${MAX_FRAME_BYTES} bytes`)
    return this.#sender.push(frame)
  }

  /**
   * Calls the listener with every frame of every user as it arrives. The network may reorder or duplicate frames.
   * @returns a function that removes the listener
   */
  onOpus(listener: OpusListener): () => void {
    return this.#listeners.add(listener)
  }

  /** Leaves and cannot be used again. */
  leave(): void {
    this.#sender.close()
    this.#connection.close()
  }

  #open(grant: VoiceGrant, events: DriverEvents): DataChannelDriver {
    if (grant.driver !== 'slots') throw new Error(`the voice driver ${grant.driver} is not available in Node`)
    return new DataChannelDriver({
      module: this.#module,
      iceServers: grant.ice_servers,
      slots: grant.slots,
      ssrc: this.#ssrc,
      events: { ...events, received: (...frame) => this.#listeners.notify(...frame) },
    })
  }
}
