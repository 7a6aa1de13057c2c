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
/** Refusals that concern one of the two pictures. */
const LIMITS: Readonly<Record<string, Picture>> = { camera_limit: 'video', screen_limit: 'stream' }

/** The user's flags: as wanted, as last sent, and the pictures that the server has announced to everyone. */
export class OwnFlags {
  readonly #notifier: FlagNotifier
  readonly #refusals = new Listeners<[refusal: PictureRefusal]>()
  #wanted: Self = { mute: false, deaf: false, ...NOT_LIVE }
  #sent: Self | undefined
  #live = NOT_LIVE

  /** @param notify sends `ofChange` to the server */
  constructor(notify: () => void, intervalMs: number) {
    this.#notifier = new FlagNotifier(notify, intervalMs)
  }

  get status(): Pick<VoiceStatus, 'selfMute' | 'selfDeaf' | 'selfVideo' | 'selfStream'> {
    const { mute, deaf, video, stream } = this.#wanted
    return { selfMute: mute, selfDeaf: deaf, selfVideo: video, selfStream: stream }
  }

  /** True once everyone knows that the user sends this picture. */
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

  /** Queues what the join did not say. */
  catchUp(): void {
    if (this.#sent !== undefined && !isSame(this.#sent, this.#wanted)) this.notify()
  }

  /** Flags of a join. Pictures follow after it, so that a room full of cameras does not refuse the user. */
  ofJoin(): Self {
    this.#live = NOT_LIVE
    this.#sent = { ...this.#wanted, ...NOT_LIVE }
    return this.#sent
  }

  ofChange(): Self {
    this.#sent = this.#wanted
    return this.#sent
  }

  /** Takes the session's state as the server has it. A picture that it no longer has was taken away. */
  confirm({ self_video: video, self_stream: stream }: VoiceState): void {
    const confirmed = { video, stream }
    const lost = PICTURES.filter((name) => this.#live[name] && this.#sent?.[name] && !confirmed[name])
    this.#live = confirmed
    this.#end(lost, 'missing_permission')
  }

  /** Takes the refusal of a change: gives up the pictures that it would have announced. */
  refuse(code: string): void {
    const limited = LIMITS[code]
    const asked = PICTURES.filter((name) => this.#sent?.[name] && !this.#live[name])
    if (!isPassing(code)) this.#end(limited === undefined ? asked : [limited], code)
    this.notify()
  }

  /** Pictures end with the session. A user never starts in another room with the camera on. */
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
