import type { VoiceState } from '@foyer/protocol/voice'
import { Listeners } from '../listeners.ts'
import { isPassing } from './failures.ts'
import { FlagNotifier } from './flag-notifier.ts'
import type { PictureRefusal, VoiceSelf, VoiceStatus } from './status.ts'

export type Self = Readonly<Required<VoiceSelf>>

const PICTURES = ['video', 'stream'] as const
type Picture = (typeof PICTURES)[number]

const NOT_LIVE: Readonly<Record<Picture, boolean>> = { video: false, stream: false }
const SOURCES: Readonly<Record<Picture, PictureRefusal['source']>> = { video: 'camera', stream: 'screen' }
/** Error codes that concern one of the two pictures. */
const LIMITS: Readonly<Record<string, Picture>> = { camera_limit: 'video', screen_limit: 'stream' }

/** The user's flags: those wanted, those last sent to the server, and those of pictures that the server has announced. */
export class OwnFlags {
  readonly #notifier: FlagNotifier
  readonly #refusals = new Listeners<[refusal: PictureRefusal]>()
  #wanted: Self = { mute: false, deaf: false, ...NOT_LIVE }
  #sent: Self | undefined
  #live = NOT_LIVE

  /** @param notify sends the result of `ofChange` to the server */
  constructor(notify: () => void, intervalMs: number) {
    this.#notifier = new FlagNotifier(notify, intervalMs)
  }

  get status(): Pick<VoiceStatus, 'selfMute' | 'selfDeaf' | 'selfVideo' | 'selfStream'> {
    const { mute, deaf, video, stream } = this.#wanted
    return { selfMute: mute, selfDeaf: deaf, selfVideo: video, selfStream: stream }
  }

  /** Returns true once the server has announced to everyone that the user sends this picture. */
  isLive(picture: Picture): boolean {
    return this.#wanted[picture] && this.#live[picture]
  }

  onRefusal(listener: (refusal: PictureRefusal) => void): () => void {
    return this.#refusals.add(listener)
  }

  /** @returns false if nothing changed */
  change(self: VoiceSelf): boolean {
    const changed = { ...this.#wanted, ...self }
    if (isSame(this.#wanted, changed)) return false
    this.#wanted = changed
    return true
  }

  /** Queues the flags for the server. */
  notify(): void {
    this.#notifier.changed()
  }

  /** Queues the flags if they differ from the flags of the join. */
  catchUp(): void {
    if (this.#sent !== undefined && !isSame(this.#sent, this.#wanted)) this.notify()
  }

  /** Returns the flags for a join. Pictures are announced after it, so that the camera limit does not prevent the join. */
  ofJoin(): Self {
    this.#live = NOT_LIVE
    this.#sent = { ...this.#wanted, ...NOT_LIVE }
    return this.#sent
  }

  ofChange(): Self {
    this.#sent = this.#wanted
    return this.#sent
  }

  /** Takes the session's state from the server. An announced picture that is missing there was ended by the server. */
  confirm({ self_video: video, self_stream: stream }: VoiceState): void {
    const confirmed = { video, stream }
    const lost = PICTURES.filter((name) => this.#live[name] && this.#sent?.[name] && !confirmed[name])
    this.#live = confirmed
    this.#end(lost, 'missing_permission')
  }

  /** Handles a refused change: gives up the pictures that it would have announced. */
  refuse(code: string): void {
    const limited = LIMITS[code]
    const asked = PICTURES.filter((name) => this.#sent?.[name] && !this.#live[name])
    if (!isPassing(code)) this.#end(limited === undefined ? asked : [limited], code)
    this.notify()
  }

  /** Ends both pictures with the session, so that a user never enters another room with the camera on. */
  endPictures(): void {
    this.#live = NOT_LIVE
    this.change(NOT_LIVE)
  }

  close(): void {
    this.#notifier.close()
  }

  #end(pictures: readonly Picture[], code: string): void {
    const ended = pictures.filter((name) => this.#wanted[name])
    this.change(Object.fromEntries(ended.map((name) => [name, false])))
    for (const name of ended) this.#refusals.notify({ source: SOURCES[name], code })
  }
}

function isSame(one: Self, other: Self): boolean {
  return (
    one.mute === other.mute &&
    one.deaf === other.deaf &&
    one.video === other.video &&
    one.stream === other.stream
  )
}
