import type { Event } from '#src/kernel/journal/bus.ts'

interface Hold {
  readonly waiting: Event[]
  readonly ended: PromiseWithResolvers<void>
}

/** Queues the events of a space or conversation, in order, while its recipients are recomputed. */
export class EventHolds {
  readonly #holds = new Map<string, Hold>()

  begin(spaceId: string): void {
    this.#holds.set(spaceId, { waiting: [], ended: Promise.withResolvers() })
  }

  /** Queues the event if there is a hold; returns false if there is none. */
  queue(spaceId: string, event: Event): boolean {
    const hold = this.#holds.get(spaceId)
    hold?.waiting.push(event)
    return hold !== undefined
  }

  /** Ends the hold. @returns the queued events */
  end(spaceId: string): readonly Event[] {
    const hold = this.#holds.get(spaceId)
    this.#holds.delete(spaceId)
    hold?.ended.resolve()
    return hold?.waiting ?? []
  }

  /** Resolves once none of these spaces or conversations is held. */
  async allEnded(spaceIds: Iterable<string>): Promise<void> {
    for (const spaceId of spaceIds) {
      const hold = this.#holds.get(spaceId)
      if (hold === undefined) continue
      await hold.ended.promise
      return this.allEnded(spaceIds)
    }
  }
}
