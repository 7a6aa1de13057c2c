import { totalmem } from 'node:os'

const MIB = 2 ** 20
const MIN_BUDGET_BYTES = 64 * MIB
const MAX_BUDGET_BYTES = 2048 * MIB

/** An eighth of what this process may have. */
export function defaultBacklogBytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  return Math.min(MAX_BUDGET_BYTES, Math.max(MIN_BUDGET_BYTES, memory / 8))
}

/** Somebody for whom bytes are kept. */
interface Debtor {
  /** What is kept for it right now. */
  readonly unsentBytes: number
  /** Lets go of all of it at once. */
  cutOff(): void
}

/** Cut down to this share of the budget, so that not every next byte begins it anew. */
const RELIEVED_SHARE = 0.9

/**
 * What this process keeps for connections that have not read it yet. Each has a bound of its own; thousands at once would
 * fill the memory all the same. Past the budget those with the most lose their connection first, and may resume.
 */
export class Backlogs {
  readonly #budget: number
  readonly #onCut: () => void
  /** As of when they last wrote: what was read since is found out when it matters. */
  readonly #noted = new Map<Debtor, number>()
  #total = 0

  constructor(budget: number, onCut: () => void) {
    this.#budget = budget
    this.#onCut = onCut
  }

  /** To be called whenever more is kept. */
  note(debtor: Debtor): void {
    this.#set(debtor, debtor.unsentBytes)
    if (this.#total > this.#budget) this.#relieve()
  }

  forget(debtor: Debtor): void {
    this.#set(debtor, 0)
  }

  /** The bytes of all, counted anew. */
  measure(): number {
    for (const debtor of [...this.#noted.keys()]) this.#set(debtor, debtor.unsentBytes)
    return this.#total
  }

  #set(debtor: Debtor, bytes: number): void {
    this.#total += bytes - (this.#noted.get(debtor) ?? 0)
    if (bytes === 0) this.#noted.delete(debtor)
    else this.#noted.set(debtor, bytes)
  }

  #relieve(): void {
    if (this.measure() <= this.#budget) return
    const largestFirst = [...this.#noted].toSorted(([, one], [, other]) => other - one)
    for (const [debtor] of largestFirst) {
      if (this.#total <= this.#budget * RELIEVED_SHARE) return
      this.forget(debtor)
      debtor.cutOff()
      this.#onCut()
    }
  }
}
