import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import type { Bus } from '#src/kernel/bus.ts'
import type { VoiceEngine } from './engine.ts'
import type { HostedSessions } from './sessions.ts'
import { tellSpeaking } from './signals.ts'

export interface SpeakingDeps {
  engine: Pick<VoiceEngine, 'on'>
  sessions: HostedSessions
  bus: Pick<Bus, 'emit'>
  log: Logger
}

/** A place is told at most five times a second. */
const PAUSE_MS = 200

interface PlaceTold {
  readonly place: Place
  /** Who speaks, as the engine said last. */
  speakers: readonly string[]
  /** What was told last, as one text. */
  told: string
  /** Until when nothing more is told. */
  pause: NodeJS.Timeout | undefined
}

/** Tells those in a place who speaks. */
export class Speaking {
  readonly #deps: SpeakingDeps
  readonly #places = new Map<string, PlaceTold>()

  constructor(deps: SpeakingDeps) {
    this.#deps = deps
    deps.engine.on('speaking', ({ place, userIds }) => this.#hear(place, userIds))
  }

  close(): void {
    for (const { pause } of this.#places.values()) clearTimeout(pause)
    this.#places.clear()
  }

  #hear(place: Place, speakers: readonly string[]): void {
    const known = this.#places.get(place.channelId) ?? { place, speakers, told: '', pause: undefined }
    this.#places.set(place.channelId, known)
    known.speakers = speakers
    if (known.pause === undefined) this.#tell(known)
  }

  #tell(known: PlaceTold): void {
    const { sessions, bus, log } = this.#deps
    const { place } = known
    const present = sessions.inPlace(place)
    // The engine's word for it is a moment old: who may not speak any more does not.
    const audible = present
      .filter(({ rights }) => rights?.canSpeak === true)
      .map(({ session }) => session.userId)
    const speakers = known.speakers.filter((userId) => audible.includes(userId)).sort()
    known.pause = undefined
    if (present.length === 0) this.#places.delete(place.channelId)
    const text = speakers.join(' ')
    if (present.length === 0 || text === known.told) return
    known.told = text
    known.pause = setTimeout(() => this.#tell(known), PAUSE_MS).unref()
    const hearers = present.map(({ session }) => session.userId)
    tellSpeaking(bus, place, { speakers, hearers }).catch((error) =>
      log.error({ err: error }, 'speakers could not be published'),
    )
  }
}
