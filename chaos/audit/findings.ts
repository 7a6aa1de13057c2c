/** Ways in which the promise can be broken. */
export const VIOLATIONS = {
  lost: 'an acknowledged message, edit, deletion or reaction is gone, or somebody who should have heard a message did not',
  doubled: 'a message is stored, numbered or heard more than once',
  leaked: 'somebody heard, or did, what they were no longer allowed to',
  unordered: 'messages of a channel were heard in another order than that of their seq',
  altered: 'a message was heard, answered or stored otherwise than it was sent',
  diverged: 'what a client knows from events is not what a fresh connection is told',
  refused: 'somebody was refused what they were allowed to, or a session was ended',
  ended: 'a process ended that nobody had ended',
  stuck: 'something did not come to an end in the time, or with the memory, that it had',
} as const

export type Violation = keyof typeof VIOLATIONS

/** What is needed to find the cause: ids, and times on the clock of the run. */
export interface Finding {
  violation: Violation
  what: string
  at: number
  evidence: Record<string, unknown>
}

const MAX_KEPT = 50

/** Counts what is wrong, and keeps enough of it to find out why. */
export class Findings {
  readonly kept: Finding[] = []
  readonly #counts = new Map<Violation, number>()
  readonly #note: (finding: Finding) => void

  /** @param note is told of each that is kept, at once: a run may be broken off */
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

  /** By kind, zeros too. */
  counts(): Record<string, number> {
    return Object.fromEntries(
      Object.keys(VIOLATIONS)
        .map((name) => [name, 0])
        .concat([...this.#counts]),
    )
  }
}
