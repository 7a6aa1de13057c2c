import { totalmem } from 'node:os'

const MIB = 2 ** 20
const MIN_BUDGET_BYTES = 64 * MIB
const MAX_BUDGET_BYTES = 2048 * MIB

/** Returns an eighth of the memory available to this process. */
export function defaultBacklogBytes(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem())
  return Math.min(MAX_BUDGET_BYTES, Math.max(MIN_BUDGET_BYTES, memory / 8))
}

/** A connection with bytes still to be read by its client. */
interface Backlogged {
  /** Bytes currently kept. */
  readonly unsentBytes: number
  /** Drops the unsent bytes and closes the connection. */
  cutOff(): void
}

/**
 * Share of the budget that remains after connections were cut, so that the next byte does not exceed it
 * again.
 */
const RELIEVED_SHARE = 0.9

/**
 * Bytes that this process keeps for clients that have not read them yet. Each connection has a limit of its
 * own, but thousands together would still fill the memory. Over the budget, the connections with the most
 * bytes are closed first; they may resume.
 */
export class Backlogs {
  readonly #budget: number
  readonly #onCut: () => void
  /** Bytes as of each connection's last write. Bytes read since then are subtracted when it matters. */
  readonly #noted = new Map<Backlogged, number>()
  #total = 0

  constructor(budget: number, onCut: () => void) {
    this.#budget = budget
    this.#onCut = onCut
  }

  /** Updates the bytes of a connection. Must be called whenever it keeps more. */
  note(connection: Backlogged): void {
    this.#set(connection, connection.unsentBytes)
    if (this.#total > this.#budget) this.#relieve()
  }

  forget(connection: Backlogged): void {
    this.#set(connection, 0)
  }

  /** Returns the bytes of all connections, counted again. */
  measure(): number {
    for (const connection of [...this.#noted.keys()]) this.#set(connection, connection.unsentBytes)
    return this.#total
  }

  #set(connection: Backlogged, bytes: number): void {
    this.#total += bytes - (this.#noted.get(connection) ?? 0)
    if (bytes === 0) this.#noted.delete(connection)
    else this.#noted.set(connection, bytes)
  }

  #relieve(): void {
    if (this.measure() <= this.#budget) return
    const largestFirst = [...this.#noted].toSorted(([, one], [, other]) => other - one)
    for (const [connection] of largestFirst) {
      if (this.#total <= this.#budget * RELIEVED_SHARE) return
      this.forget(connection)
      connection.cutOff()
      this.#onCut()
    }
  }
}
