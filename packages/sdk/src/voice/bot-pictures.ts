import type { GatewayError } from '@foyer/protocol/gateway'
import type { WatchedPicture } from '@foyer/protocol/voice'
import { Listeners } from '../listeners.ts'
import type { VoiceConnection } from './connection.ts'
import type { DataChannelDriver } from './datachannel-driver.ts'
import { isPassing } from './failures.ts'
import type { OwnSources } from './own-sources.ts'
import type { PictureSource, UserPicture } from './picture-streams.ts'
import type { SentStream } from './rtcp.ts'
import { type PictureRefusal, VoiceError, type VoiceSelf } from './status.ts'
import { readVp8Header } from './vp8.ts'
import type { Vp8Frame } from './vp8-receiver.ts'
import { Vp8Sender } from './vp8-sender.ts'
import { WatchList } from './watch-list.ts'

/** Maximum size of a frame: one second at the highest bitrate that the server accepts. */
const MAX_FRAME_BYTES = 1_000_000
const FLAGS = { camera: 'video', screen: 'stream' } as const
const LIMITS = new Set(['camera_limit', 'screen_limit'])
const SOURCES = ['camera', 'screen'] as const

type Connection = VoiceConnection<DataChannelDriver>

/** A bot's own camera and screen, and the pictures of others that it watches, as encoded frames. */
export class BotPictures {
  readonly frames = new Listeners<[picture: UserPicture, frame: Vp8Frame]>()
  readonly lists = new Listeners<[pictures: readonly UserPicture[]]>()
  readonly keyFrames = new Listeners<[source: PictureSource]>()
  readonly #connection: Connection
  readonly #watchList: WatchList
  readonly #senders: Readonly<Record<PictureSource, Vp8Sender>>
  #driver: DataChannelDriver | undefined
  #received: readonly UserPicture[] = []

  constructor(connection: Connection, own: OwnSources, watchIntervalMs: number) {
    this.#connection = connection
    this.#watchList = new WatchList(watchIntervalMs)
    this.#senders = { camera: this.#openSender('camera', own), screen: this.#openSender('screen', own) }
    connection.onStatus(() => this.#follow())
    connection.flags.onRefusal(({ source }) => this.#senders[source].restart())
  }

  /**
   * Announces the picture. Resolves once the server has announced it to everyone, so that frames may be sent.
   * @throws VoiceError with the reason
   */
  start(source: PictureSource): Promise<void> {
    if (!this.#isIn) return Promise.reject(new VoiceError('left'))
    if (this.isLive(source)) return Promise.resolve()
    const { phase, hasVideo } = this.#connection.status
    if (phase === 'connected' && !hasVideo) return Promise.reject(new VoiceError('unavailable'))
    this.#senders[source].restart()
    this.#connection.setSelf(flagOf(source, true))
    return this.#whenLive(source)
  }

  end(source: PictureSource): void {
    this.#senders[source].restart()
    this.#connection.setSelf(flagOf(source, false))
  }

  isLive(source: PictureSource): boolean {
    return this.#connection.flags.isLive(FLAGS[source])
  }

  /** @throws RangeError for a frame that is not VP8 or too large, and for a time that is not a number */
  send(source: PictureSource, frame: Uint8Array, atMs: number | undefined): Promise<boolean> {
    if (frame.length > MAX_FRAME_BYTES)
      throw new RangeError(`a VP8 frame must have at most ${MAX_FRAME_BYTES} bytes`)
    const header = readVp8Header(frame)
    if (header === undefined) throw new RangeError('this is not a VP8 frame')
    if (atMs !== undefined && !Number.isFinite(atMs)) throw new RangeError('the time must be a number')
    if (!this.isLive(source)) return Promise.resolve(false)
    return this.#senders[source].push({ frame, isKeyFrame: header.isKeyFrame, atMs })
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#watchList.set(watched)
  }

  watchAgain(): void {
    this.#watchList.repeat()
  }

  /** Handles any refused command. A refused watch list is sent again if the refusal is temporary. */
  takeRefusal(error: GatewayError): void {
    this.#watchList.takeRefusal(error, this.#connection.status.sessionId)
  }

  take(pictures: readonly UserPicture[]): void {
    this.#received = pictures
    this.lists.notify(pictures)
  }

  resend(ssrc: number, sequences: readonly number[]): void {
    const sender = SOURCES.map((source) => this.#senders[source]).find((one) => one.ssrc === ssrc)
    sender?.resend(sequences)
  }

  wantKeyFrame(ssrc: number): void {
    const source = SOURCES.find((one) => this.#senders[one].ssrc === ssrc)
    if (source !== undefined) this.keyFrames.notify(source)
  }

  sent(nowMs: number): SentStream[] {
    return SOURCES.flatMap((source) => this.#senders[source].sent(nowMs) ?? [])
  }

  close(): void {
    this.#watchList.close()
    for (const source of SOURCES) this.#senders[source].restart()
  }

  get #isIn(): boolean {
    return !['idle', 'failed'].includes(this.#connection.status.phase)
  }

  #openSender(source: PictureSource, own: OwnSources): Vp8Sender {
    return new Vp8Sender(
      own[source],
      (packet) => this.isLive(source) && this.#connection.driver?.sendPicture(packet) === true,
      () => this.keyFrames.notify(source),
    )
  }

  #whenLive(source: PictureSource): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        for (const end of ends) end()
        act()
      }
      const ends = [
        this.#connection.onStatus(({ phase, hasVideo }) => {
          if (this.isLive(source)) settle(resolve)
          else if (phase === 'connected' && !hasVideo) settle(() => reject(new VoiceError('unavailable')))
          // Deferred, because a refusal ends the flag, too: then the listener below must reject first, with the reason.
          else if (!this.#isWanted(source)) setImmediate(() => settle(() => reject(new VoiceError('left'))))
        }),
        this.#connection.flags.onRefusal((refusal) => {
          if (refusal.source === source) settle(() => reject(errorOf(refusal)))
        }),
      ]
    })
  }

  #isWanted(source: PictureSource): boolean {
    const { selfVideo, selfStream } = this.#connection.status
    return source === 'camera' ? selfVideo : selfStream
  }

  /** Gives a new driver the watch list, and restarts the senders, because viewers need key frames on a new connection. */
  #follow(): void {
    const { driver, status } = this.#connection
    for (const source of SOURCES) if (!this.#isWanted(source)) this.#senders[source].restart()
    if (!this.#isIn) this.#watchList.clear()
    this.#watchList.follow(driver)
    if (driver !== this.#driver) for (const source of SOURCES) this.#senders[source].restart()
    this.#driver = driver
    if (status.phase !== 'connected' && this.#received.length > 0) this.take([])
  }
}

function flagOf(source: PictureSource, isOn: boolean): VoiceSelf {
  return source === 'camera' ? { video: isOn } : { stream: isOn }
}

function errorOf({ code }: PictureRefusal): VoiceError {
  if (LIMITS.has(code)) return new VoiceError('full', code)
  return new VoiceError(isPassing(code) ? 'unavailable' : 'permission', code)
}
