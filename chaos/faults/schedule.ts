import type { Options } from '../options.ts'
import { type FaultKind, type FaultTable, faultKinds } from './faults.ts'

/** A fault, and the recovery from it. */
export interface FaultRecord {
  name: string
  at: number
  /** Milliseconds until everything was up again. */
  lastedMs: number
  /** Milliseconds from then until every client was connected and had received all acknowledged messages. */
  convergedMs: number
}

/** Number of faults after which two happen at once. */
const PAIR_EVERY = 4

/** Minutes that a run must have for long faults. */
const MIN_MINUTES_FOR_LONG = 10

/** Runs faults in a random order. Each kind occurs once before any repeats. */
export class Schedule {
  readonly #table: FaultTable
  readonly #kinds: readonly FaultKind[]
  #bag: FaultKind[] = []
  #turns = 0

  /** @param options.only the only kind to run; undefined for all that fit into the time */
  constructor(table: FaultTable, { only, minutes }: Pick<Options, 'only' | 'minutes'>) {
    this.#table = table
    const isDue = ({ name, isLong }: FaultKind) =>
      only === undefined ? isLong !== true || minutes >= MIN_MINUTES_FOR_LONG : name === only
    this.#kinds = faultKinds.filter(isDue)
    if (this.#kinds.length === 0)
      throw new Error(`--only must be one of ${faultKinds.map(({ name }) => name).join(', ')}`)
  }

  /** Causes and repairs the next fault. @returns its name */
  async next(): Promise<string> {
    this.#turns += 1
    const first = this.#draw()
    const second = this.#turns % PAIR_EVERY === 0 ? this.#drawBeside(first) : undefined
    const { dice, installation } = this.#table
    const [one, other] = dice.shuffle(installation.processes)
    if (one === undefined) throw new Error('there is no process to break')
    const runs = [first.run(this.#table, one)]
    // With only one process both faults affect it.
    if (second !== undefined) runs.push(second.run(this.#table, other ?? one))
    await Promise.all(runs)
    return second === undefined ? first.name : `${first.name} and ${second.name}`
  }

  #draw(): FaultKind {
    if (this.#bag.length === 0) this.#bag = this.#table.dice.shuffle(this.#kinds)
    const kind = this.#bag.pop()
    if (kind === undefined) throw new Error('there is nothing to break')
    return kind
  }

  /** Draws a fault of another part, or of another process: only processes may exist several times. */
  #drawBeside({ part }: FaultKind): FaultKind | undefined {
    const isFree = this.#table.installation.processes.length > 1
    const found = this.#bag.findLast((kind) => kind.part !== part || (part === 'a process' && isFree))
    if (found !== undefined) this.#bag.splice(this.#bag.indexOf(found), 1)
    return found
  }
}
