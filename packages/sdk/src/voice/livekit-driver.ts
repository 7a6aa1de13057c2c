import type { WatchedPicture } from '@foyer/protocol/voice'
import type { BrowserDriver } from './browser-driver.ts'
import type { LiveKitOptions } from './livekit-options.ts'
import type { LiveKitRoom } from './livekit-room.ts'
import { NOTHING_SENT, type SentPictures } from './pictures.ts'
import type { StatsReport } from './stats.ts'
import type { VoiceQuality } from './status.ts'

/**
 * Media through LiveKit. Its library makes the offers and reconnects after network changes. The library and the code that
 * uses it are loaded on the first LiveKit grant, because most servers do not use LiveKit.
 */
export class LiveKitDriver implements BrowserDriver {
  readonly mendsItself = true
  readonly hasVideo = true
  readonly #options: LiveKitOptions
  #wanted: MediaStreamTrack | null
  #pictures = NOTHING_SENT
  #watched: readonly WatchedPicture[] = []
  #isDeaf = false
  #room: LiveKitRoom | undefined
  #isClosed = false

  constructor(options: LiveKitOptions) {
    this.#options = options
    this.#wanted = options.track
    void this.#start()
  }

  /** Does nothing, like the next three methods: LiveKit's library exchanges its own signals with the server. */
  takeAnswer(): void {}

  takeSlots(): void {}

  takePictures(): void {}

  takeCodecs(): void {}

  async sendPictures(sent: SentPictures): Promise<void> {
    this.#pictures = sent
    await this.#room?.pictures.send(sent)
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#watched = watched
    this.#room?.pictures.watch(watched)
  }

  setDeaf(isDeaf: boolean): void {
    this.#isDeaf = isDeaf
    this.#room?.pictures.setDeaf(isDeaf)
  }

  async send(track: MediaStreamTrack | null): Promise<void> {
    this.#wanted = track
    await this.#room?.send(track)
  }

  async quality(): Promise<VoiceQuality | undefined> {
    return this.#room?.quality()
  }

  async stats(): Promise<StatsReport | undefined> {
    return this.#room?.stats()
  }

  close(): void {
    this.#isClosed = true
    this.#room?.close()
  }

  async #start(): Promise<void> {
    const { load, events } = this.#options
    const loaded = await Promise.all([load(), import('./livekit-room.ts')]).catch(() => undefined)
    if (this.#isClosed) return
    if (loaded === undefined) return events.fail('unavailable')
    const [library, { LiveKitRoom }] = loaded
    this.#room = new LiveKitRoom(library, { ...this.#options, track: this.#wanted })
    this.#room.pictures.setDeaf(this.#isDeaf)
    this.#room.pictures.watch(this.#watched)
    void this.#room.pictures.send(this.#pictures)
  }
}
