import { totalmem } from 'node:os'

const MIB = 2 ** 20
const MIN_BUDGET_BYTES = 64 * MIB
const MAX_BUDGET_BYTES = 2048 * MIB

/** Returns an eighth of the memory available to this process, but at least 64 MiB and at most 2 GiB. */
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

/** Connections are cut off until the total is below this share of the budget, so that the next bytes do not exceed it again. */
const RELIEVED_SHARE = 0.9

/**
 * Limits the bytes that this process keeps for clients that have not read them yet. Each connection has a limit of its
 * own, but thousands of connections would still fill the memory. Above the budget, the connections with the most bytes
 * are closed first; their clients may resume.
 */
export class Backlogs {
  readonly #budget: number
  readonly #onCut: () => void
  /** Unsent bytes of each connection when it last called `note`. Only `measure` subtracts bytes that were read since then. */
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

  /** Returns the unsent bytes of all connections, measured now. */
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
