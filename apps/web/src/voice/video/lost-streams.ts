/** Time that a user may be away from the room. A restart of the server takes a part of it. */
const AWAY_MS = 60_000
/** Time from their return until they share again, which their client does by itself. */
const BACK_MS = 10_000

export interface RoomStreams {
  /** All users in the room or call. */
  readonly present: readonly string[]
  /** Users who share a screen. */
  readonly live: readonly string[]
}

/** Separates streams that have ended from those whose users lost their connection, or have not connected again after a restart. */
export class LostStreams {
  /** By user. */
  readonly #lost = new Map<string, { readonly isAway: boolean; readonly until: number }>()

  /** Returns those of the watched streams that have not ended. */
  kept(streams: readonly string[], room: RoomStreams, now: number): string[] {
    for (const id of this.#lost.keys()) if (!streams.includes(id)) this.#lost.delete(id)
    return streams.filter((id) => this.#isKept(id, room, now))
  }

  #isKept(id: string, { present, live }: RoomStreams, now: number): boolean {
    const isHere = present.includes(id)
    const lost = this.#lost.get(id)
    if (isHere && (lost === undefined || live.includes(id))) {
      this.#lost.delete(id)
      return live.includes(id)
    }
    const next =
      lost?.isAway === !isHere ? lost : { isAway: !isHere, until: now + (isHere ? BACK_MS : AWAY_MS) }
    this.#lost.set(id, next)
    return now < next.until
  }
}
