/** Kinds of violations of the delivery guarantees. */
export const VIOLATIONS = {
  lost: 'an acknowledged message, edit, deletion or reaction is gone, or a message was not delivered',
  doubled: 'a message is stored, numbered or delivered more than once',
  leaked: 'a user received or did something without permission',
  unordered: 'messages of a channel arrived out of order',
  altered: 'a message was delivered, answered or stored with other content than was sent',
  diverged: 'a client’s view from events differs from a new connection’s',
  refused: 'a permitted request was refused, or a session was ended',
  ended: 'a process ended unexpectedly',
  stuck: 'a limit of time or memory was exceeded',
} as const

export type Violation = keyof typeof VIOLATIONS

/** A violation, with ids and times (on the clock of the run) that help to find its cause. */
export interface Finding {
  violation: Violation
  what: string
  at: number
  evidence: Record<string, unknown>
}

const MAX_KEPT = 50

/** Counts violations, and keeps enough of them to find the cause. */
export class Findings {
  readonly kept: Finding[] = []
  readonly #counts = new Map<Violation, number>()
  readonly #note: (finding: Finding) => void

  /** @param note receives each kept finding at once, because a run may be aborted */
  constructor(note: (finding: Finding) => void = () => undefined) {
    this.#note = note
  }

  add(violation: Violation, what: string, evidence: Record<string, unknown> = {}): void {
    const count = this.count(violation) + 1
    this.#counts.set(violation, count)
    if (count > MAX_KEPT) return
    const finding = { violation, what, at: performance.now(), evidence }
    this.kept.push(finding)
    this.#note(finding)
  }

  count(violation: Violation): number {
    return this.#counts.get(violation) ?? 0
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Counts by kind, including zeros. */
  counts(): Record<string, number> {
    return Object.fromEntries(
      Object.keys(VIOLATIONS)
        .map((name) => [name, 0])
        .concat([...this.#counts]),
    )
  }
}
