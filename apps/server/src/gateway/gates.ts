import type { Event } from '#src/kernel/bus.ts'

interface Gate {
  readonly waiting: Event[]
  readonly opened: PromiseWithResolvers<void>
}

/** Spaces of which it is being worked out who hears them: their events wait meanwhile, in order. */
export class Gates {
  readonly #closed = new Map<string, Gate>()

  close(spaceId: string): void {
    this.#closed.set(spaceId, { waiting: [], opened: Promise.withResolvers() })
  }

  /** Keeps the event until the gate opens; false when it is open. */
  hold(spaceId: string, event: Event): boolean {
    const gate = this.#closed.get(spaceId)
    gate?.waiting.push(event)
    return gate !== undefined
  }

  /** @returns what waited */
  open(spaceId: string): readonly Event[] {
    const gate = this.#closed.get(spaceId)
    this.#closed.delete(spaceId)
    gate?.opened.resolve()
    return gate?.waiting ?? []
  }

  /** Resolves at a moment when all these gates are open. */
  async allOpen(spaceIds: Iterable<string>): Promise<void> {
    for (const spaceId of spaceIds) {
      const gate = this.#closed.get(spaceId)
      if (gate === undefined) continue
      await gate.opened.promise
      return this.allOpen(spaceIds)
    }
  }
}
