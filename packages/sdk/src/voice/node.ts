import type { VoiceGrant, WatchedPicture } from '@foyer/protocol/voice'
import type { Client } from '../client.ts'
import { Listeners } from '../listeners.ts'
import { BotPictures } from './bot-pictures.ts'
import { VoiceConnection } from './connection.ts'
import { DataChannelDriver, type DataChannelModule } from './datachannel-driver.ts'
import type { DriverEvents } from './driver.ts'
import { OpusSender } from './opus-sender.ts'
import { newSources } from './own-sources.ts'
import type { PictureSource, UserPicture } from './picture-streams.ts'
import type { PictureRefusal, VoiceSelf, VoiceStatus, VoiceTarget } from './status.ts'
import { usualVoiceTimings } from './voice-timings.ts'
import type { Vp8Frame } from './vp8-receiver.ts'

export type { PictureSource, UserPicture, Vp8Frame }

/** @param timestamp increases by 48 per millisecond, and wraps at 2³² */
export type OpusListener = (userId: string, frame: Uint8Array, timestamp: number) => void

/** Shorter timeout and more attempts than usual: with the native library, about 1% of joins fail on any network. */
const TIMINGS = { ...usualVoiceTimings, mediaTimeoutMs: 3_000, mediaAttempts: 4 }
const MAX_FRAME_BYTES = 1275

/**
 * Joins a room, or the call of a conversation, for a program that encodes and decodes Opus and VP8 itself. Needs
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
  readonly #voices = new Listeners<Parameters<OpusListener>>()
  readonly #screenSounds = new Listeners<Parameters<OpusListener>>()
  readonly #own = newSources()
  readonly #microphone = this.#openSound('microphone')
  readonly #sound = this.#openSound('sound')
  readonly #pictures: BotPictures
  readonly #ends: readonly (() => void)[]

  constructor(gateway: Client['gateway'], module: DataChannelModule) {
    this.#module = module
    this.#connection = new VoiceConnection({
      gateway,
      timings: TIMINGS,
      open: (grant, events) => this.#open(grant, events),
    })
    this.#pictures = new BotPictures(this.#connection, this.#own, TIMINGS.watchIntervalMs)
    this.#ends = [
      gateway.onError((error) => this.#pictures.takeRefusal(error)),
      // The watch list may have been lost while the gateway was disconnected.
      gateway.on('READY', () => this.#pictures.watchAgain()),
      gateway.on('RESUMED', () => this.#pictures.watchAgain()),
    ]
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
   * Queues a frame, which is sent after the earlier ones have played. Frames sent in real time are not delayed. To send
   * a recording, queue up to 30 s of it at once, or await each frame.
   * @param frame one Opus packet of any duration
   * @returns false if it was dropped: there is no media, or more than 30 s of audio are queued
   */
  sendOpus(frame: Uint8Array): Promise<boolean> {
    checkOpus(frame)
    return this.#microphone.push(frame)
  }

  /** Queues a frame of the bot's screen sound, like `sendOpus`. The bot's screen must be live. */
  sendScreenOpus(frame: Uint8Array): Promise<boolean> {
    checkOpus(frame)
    return this.#pictures.isLive('screen') ? this.#sound.push(frame) : Promise.resolve(false)
  }

  /**
   * Calls the listener with every frame of every user as it arrives. The network may reorder or duplicate frames.
   * @returns a function that removes the listener
   */
  onOpus(listener: OpusListener): () => void {
    return this.#voices.add(listener)
  }

  /** Calls the listener with every frame of the sounds of watched screens. @returns a function that removes the listener */
  onScreenOpus(listener: OpusListener): () => void {
    return this.#screenSounds.add(listener)
  }

  /**
   * Announces the bot's camera or screen. The bot needs the same capability as a person. Resolves once the server has
   * announced the picture; then `sendVp8` sends its frames. The picture lasts until `endPicture`, until the bot leaves,
   * or until a refusal (`onPictureRefused`).
   * @throws VoiceError with the reason, such as `permission`
   */
  startPicture(source: PictureSource): Promise<void> {
    return this.#pictures.start(source)
  }

  endPicture(source: PictureSource): void {
    this.#pictures.end(source)
    if (source === 'screen') this.#sound.clear()
  }

  /**
   * Sends a frame of the bot's camera or screen. The first frame, and the first one after a dropped frame, must be a
   * key frame.
   * @param frame one whole VP8 frame
   * @param atMs time of the frame in a recording: frames are sent at the recording's pace. If omitted, the frame is
   * sent at once
   * @returns false if it was dropped: the picture is not live, a key frame is needed, or more than 30 s are queued
   * @throws RangeError if it is not a VP8 frame, or larger than 1 MB
   */
  sendVp8(source: PictureSource, frame: Uint8Array, atMs?: number): Promise<boolean> {
    return this.#pictures.send(source, frame, atMs)
  }

  /**
   * Calls the listener when others need a key frame of the bot's camera or screen: they have begun to watch, or lost frames.
   * @returns a function that removes the listener
   */
  onKeyFrameWanted(listener: (source: PictureSource) => void): () => void {
    return this.#pictures.keyFrames.add(listener)
  }

  /** Calls the listener when the server ends or refuses the bot's camera or screen. @returns a function that removes the listener */
  onPictureRefused(listener: (refusal: PictureRefusal) => void): () => void {
    return this.#connection.flags.onRefusal(listener)
  }

  /**
   * Chooses the pictures to receive, the most important first, replacing the earlier choice. Other pictures are not
   * sent. A screen is received with its sound. The list may contain users who send nothing yet.
   */
  watch(watched: readonly WatchedPicture[]): void {
    this.#pictures.watch(watched)
  }

  /** Calls the listener with all received pictures whenever one starts or ends. @returns a function that removes the listener */
  onPictures(listener: (pictures: readonly UserPicture[]) => void): () => void {
    return this.#pictures.lists.add(listener)
  }

  /**
   * Calls the listener with every frame of the watched pictures, whole and in order. The first frame is a key frame, and so is
   * the first one after lost frames.
   * @returns a function that removes the listener
   */
  onVp8(listener: (picture: UserPicture, frame: Vp8Frame) => void): () => void {
    return this.#pictures.frames.add(listener)
  }

  /** Leaves the channel. The object cannot be used again. */
  leave(): void {
    for (const end of this.#ends) end()
    this.#microphone.clear()
    this.#sound.clear()
    this.#connection.close()
    this.#pictures.close()
  }

  #openSound(line: 'microphone' | 'sound'): OpusSender {
    return new OpusSender(this.#own[line], (packet) => this.#connection.driver?.send(packet) ?? false)
  }

  #open(grant: VoiceGrant, events: DriverEvents): DataChannelDriver {
    if (grant.driver !== 'slots') throw new Error(`the voice driver ${grant.driver} is not available in Node`)
    return new DataChannelDriver({
      module: this.#module,
      iceServers: grant.ice_servers,
      slots: grant.slots,
      // Servers without support for video do not send this field.
      video: grant.video ?? null,
      own: this.#own,
      sent: (nowMs) => [
        ...[this.#microphone, this.#sound].flatMap((sender) => sender.sent(nowMs) ?? []),
        ...this.#pictures.sent(nowMs),
      ],
      events: {
        ...events,
        voice: (...frame) => this.#voices.notify(...frame),
        screenSound: (...frame) => this.#screenSounds.notify(...frame),
        picture: (...received) => this.#pictures.frames.notify(...received),
        pictures: (pictures) => this.#pictures.take(pictures),
        missing: (ssrc, sequences) => this.#pictures.resend(ssrc, sequences),
        keyFrameWanted: (ssrc) => this.#pictures.wantKeyFrame(ssrc),
      },
    })
  }
}

function checkOpus(frame: Uint8Array): void {
  if (frame.length === 0 || frame.length > MAX_FRAME_BYTES)
    throw new RangeError(`an Opus frame must have 1 to ${MAX_FRAME_BYTES} bytes`)
}
