import type { GatewayError } from '@foyer/protocol/gateway'
import type { WatchedPicture } from '@foyer/protocol/voice'
import { Listeners } from '../listeners.ts'
import type { BrowserDriver } from './browser-driver.ts'
import type { KnownPictures } from './call-numbers.ts'
import type { VoiceConnection } from './connection.ts'
import {
  NO_PICTURES,
  NOTHING_SENT,
  type ReceivedPicture,
  type ReceivedPictures,
  type SentPictures,
} from './pictures.ts'
import type { VoiceStream } from './stream.ts'
import { WatchList } from './watch-list.ts'

type Connection = Pick<VoiceConnection<BrowserDriver>, 'driver' | 'flags' | 'onStatus' | 'setSelf' | 'status'>

/** A client's own camera and screen, and the pictures that it watches. All of them survive a lost connection. */
export class PictureExchange {
  readonly #connection: Connection
  readonly #pictureListeners = new Listeners<[pictures: readonly ReceivedPicture[]]>()
  readonly #soundListeners = new Listeners<[sounds: readonly VoiceStream[]]>()
  readonly #watchList: WatchList
  #wanted: SentPictures = NOTHING_SENT
  #received: ReceivedPictures = NO_PICTURES
  #lastSounds: readonly VoiceStream[] = []

  constructor(connection: Connection, watchIntervalMs: number) {
    this.#connection = connection
    this.#watchList = new WatchList(watchIntervalMs)
    connection.onStatus(() => this.#follow())
  }

  setCamera(track: MediaStreamTrack | null): void {
    if (track !== null && !this.#isIn) return
    this.#wanted = { ...this.#wanted, camera: track }
    this.#connection.setSelf({ video: track !== null })
    this.#send()
  }

  setScreen(video: MediaStreamTrack | null, audio: MediaStreamTrack | null): void {
    if (video !== null && !this.#isIn) return
    this.#wanted = { ...this.#wanted, screen: video, sound: video === null ? null : audio }
    this.#connection.setSelf({ stream: video !== null })
    this.#send()
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#watchList.set(watched)
  }

  /** The tracks of all pictures, to find their statistics. */
  get known(): KnownPictures {
    return { received: this.#received.pictures, sent: this.#wanted }
  }

  /** Handles any refused command. A refused watch list is sent again if the refusal is temporary. */
  takeRefusal(error: GatewayError): void {
    this.#watchList.takeRefusal(error, this.#connection.status.sessionId)
  }

  watchAgain(): void {
    this.#watchList.repeat()
  }

  onPictures(listener: (pictures: readonly ReceivedPicture[]) => void): () => void {
    return this.#pictureListeners.add(listener)
  }

  onSounds(listener: (sounds: readonly VoiceStream[]) => void): () => void {
    return this.#soundListeners.add(listener)
  }

  take(received: ReceivedPictures): void {
    this.#received = received
    this.#pictureListeners.notify(received.pictures)
    this.notify()
  }

  /** Notifies listeners of the current screen sounds: none while the user is deafened. */
  notify(): void {
    const sounds = this.#connection.status.selfDeaf ? [] : this.#received.sounds
    if (sounds.length === 0 && this.#lastSounds.length === 0) return
    this.#lastSounds = sounds
    this.#soundListeners.notify(sounds)
  }

  close(): void {
    this.#watchList.close()
  }

  get #isIn(): boolean {
    return !['idle', 'failed'].includes(this.#connection.status.phase)
  }

  /** Gives a new driver the watch list, and forgets the tracks of pictures that have ended. */
  #follow(): void {
    const { phase, selfVideo, selfStream } = this.#connection.status
    if (!selfVideo) this.#wanted = { ...this.#wanted, camera: null }
    if (!selfStream) this.#wanted = { ...this.#wanted, screen: null, sound: null }
    if (!this.#isIn) this.#watchList.clear()
    this.#watchList.follow(this.#connection.driver)
    if (phase !== 'connected' && this.#received !== NO_PICTURES) this.take(NO_PICTURES)
    this.#send()
  }

  /** Sends the pictures that the server has announced to everyone, and no others. */
  #send(): void {
    const { flags, driver } = this.#connection
    const { camera, screen, sound } = this.#wanted
    const isShared = flags.isLive('stream')
    const sent: SentPictures = {
      camera: flags.isLive('video') ? camera : null,
      screen: isShared ? screen : null,
      sound: isShared ? sound : null,
    }
    // Fails only on a connection that is ending.
    driver?.sendPictures(sent).catch(() => undefined)
  }
}
