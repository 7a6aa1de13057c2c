import type { Options } from '../options.ts'
import { type FaultKind, type FaultTable, faultKinds } from './faults.ts'

/** What was done to the installation, and how it got over it. */
export interface FaultRecord {
  name: string
  at: number
  /** Until everything was up again. */
  lastedMs: number
  /** From then until everybody was connected, and had heard all that had been acknowledged by then. */
  convergedMs: number
}

/** Every so often two things break at once. */
const PAIR_EVERY = 4

/** From so many minutes on a run has the time for what lasts long. */
const MIN_MINUTES_FOR_LONG = 10

/** One after the other in an order that the dice decide, each kind once before any comes again. */
export class Schedule {
  readonly #table: FaultTable
  readonly #kinds: readonly FaultKind[]
  #bag: FaultKind[] = []
  #turns = 0

  /** @param options.only the name of the one kind that there is; undefined for all that there is time for */
  constructor(table: FaultTable, { only, minutes }: Pick<Options, 'only' | 'minutes'>) {
    this.#table = table
    const isDue = ({ name, isLong }: FaultKind) =>
      only === undefined ? isLong !== true || minutes >= MIN_MINUTES_FOR_LONG : name === only
    this.#kinds = faultKinds.filter(isDue)
    if (this.#kinds.length === 0)
      throw new Error(`--only is one of ${faultKinds.map(({ name }) => name).join(', ')}`)
  }

  /** Breaks what is next, and mends it. @returns its name */
  async next(): Promise<string> {
    this.#turns += 1
    const first = this.#draw()
    const second = this.#turns % PAIR_EVERY === 0 ? this.#drawBeside(first) : undefined
    const { dice, installation } = this.#table
    const [one, other] = dice.shuffle(installation.processes)
    if (one === undefined) throw new Error('there is no process to break')
    const runs = [first.run(this.#table, one)]
    // With one process alone both happen to it.
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

  /** Nothing that happens to the same part, of which there is one. */
  #drawBeside({ part }: FaultKind): FaultKind | undefined {
    const isFree = this.#table.installation.processes.length > 1
    const found = this.#bag.findLast((kind) => kind.part !== part || (part === 'a process' && isFree))
    if (found !== undefined) this.#bag.splice(this.#bag.indexOf(found), 1)
    return found
  }
}
