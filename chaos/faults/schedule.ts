import type { Options } from '../options.ts'
import { type FaultKind, type FaultTable, faultKinds } from './faults.ts'

/** A fault, and the recovery from it. */
export interface FaultRecord {
  name: string
  at: number
  /** Milliseconds from the start of the fault until everything was up again. */
  lastedMs: number
  /** Milliseconds from the end of the fault until every client was connected and had received all acknowledged messages. */
  convergedMs: number
}

/** Number of turns from one pair of simultaneous faults to the next. */
const PAIR_EVERY = 4

/** Minimum duration of a run with long faults, in minutes. */
const MIN_MINUTES_FOR_LONG = 10

/** Runs faults in a random order. Each kind occurs once before any repeats. */
export class Schedule {
  readonly #table: FaultTable
  readonly #kinds: readonly FaultKind[]
  #bag: FaultKind[] = []
  #turns = 0

  /** @param options.only the only kind to run; undefined for all kinds that fit into the duration of the run */
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
    // If there is only one process, both faults affect it.
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

  /** Draws a fault of another part. If there are several processes, it may also be a fault of a second process. */
  #drawBeside({ part }: FaultKind): FaultKind | undefined {
    const isFree = this.#table.installation.processes.length > 1
    const found = this.#bag.findLast((kind) => kind.part !== part || (part === 'a process' && isFree))
    if (found !== undefined) this.#bag.splice(this.#bag.indexOf(found), 1)
    return found
  }
}
