import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import type { VoiceEngine } from '../engine.ts'
import type { HostedSessions } from '../sessions/sessions.ts'
import { sendSpeaking } from './signals.ts'

export interface SpeakingDeps {
  engine: Pick<VoiceEngine, 'on'>
  sessions: HostedSessions
  bus: Pick<Bus, 'emit'>
  log: Logger
}

/** Minimum time between two updates of a place: at most five a second. */
const PAUSE_MS = 200

interface PlaceSpeakers {
  readonly place: Place
  /** Speakers, by the engine's last report. */
  speakers: readonly string[]
  /** The speakers last published, joined into one string for comparison. */
  published: string
  /** Timer that runs while no update may be published. */
  pause: NodeJS.Timeout | undefined
}

/** Publishes the speakers of a place to everyone in it. */
export class Speaking {
  readonly #deps: SpeakingDeps
  readonly #places = new Map<string, PlaceSpeakers>()

  constructor(deps: SpeakingDeps) {
    this.#deps = deps
    deps.engine.on('speaking', ({ place, userIds }) => this.#receive(place, userIds))
  }

  close(): void {
    for (const { pause } of this.#places.values()) clearTimeout(pause)
    this.#places.clear()
  }

  #receive(place: Place, speakers: readonly string[]): void {
    const known = this.#places.get(place.channelId) ?? { place, speakers, published: '', pause: undefined }
    this.#places.set(place.channelId, known)
    known.speakers = speakers
    if (known.pause === undefined) this.#publish(known)
  }

  #publish(known: PlaceSpeakers): void {
    const { sessions, bus, log } = this.#deps
    const { place } = known
    const present = sessions.inPlace(place)
    // The report is a moment old, so users who may no longer speak are left out.
    const audible = present
      .filter(({ rights }) => rights?.canSpeak === true)
      .map(({ session }) => session.userId)
    const speakers = known.speakers.filter((userId) => audible.includes(userId)).sort()
    known.pause = undefined
    if (present.length === 0) this.#places.delete(place.channelId)
    const text = speakers.join(' ')
    if (present.length === 0 || text === known.published) return
    known.published = text
    known.pause = setTimeout(() => this.#publish(known), PAUSE_MS).unref()
    const receivers = present.map(({ session }) => session.userId)
    sendSpeaking(bus, place, { speakers, receivers }).catch((error) =>
      log.error({ err: error }, 'speakers could not be published'),
    )
  }
}
