import { createContext, Script } from 'node:vm'
import { type Hostile, hostileInputs } from './hostile-inputs.ts'

/** Characters of the text that each hostile input is tried with, and of the one that convicts an expression. */
const TRIED_LENGTH = 1000
const CONVICTING_LENGTH = 8000
/** Time for 1,000 characters from which on more are tried. A linear expression takes less than 0.02 ms. */
const SUSPICIOUS_MS = 0.15
/**
 * CPU for 8,000 characters, three times, that convicts. A linear expression takes 0.3 ms, a quadratic one 50 to 300.
 * It is CPU of this thread: what else runs on the machine does not matter.
 */
const MAX_MICROSECONDS = 20_000
const TIMES = 3
/** One that has not come to an end by then takes exponential time. */
const TIMEOUT_MS = 1000
/** CPU without which a timeout says only that the machine is busy. */
const MIN_TIMEOUT_MICROSECONDS = 250_000

/** A hostile input on which an expression takes more than linear time; undefined for a linear expression. */
export function findSlowInput(expression: RegExp): Hostile | undefined {
  const trial = new Trial(expression)
  while (!trial.isOver) {
    const slow = trial.proceed()
    if (slow !== undefined) return slow
  }
  return undefined
}

/** Tries one input after the other. */
class Trial {
  readonly #run: (text: string) => unknown
  readonly #inputs: readonly Hostile[]
  readonly #script = new Script('proceed()')
  #next = 0
  /** Before the last input that took long. */
  #began = process.threadCpuUsage()

  constructor(expression: RegExp) {
    this.#inputs = hostileInputs(expression)
    const { source, flags } = expression
    const plain = flags.replace(/[gy]/g, '')
    const [once, all] = [new RegExp(source, plain), new RegExp(source, `${plain}g`)]
    // Callers try a sticky expression at one position after the other.
    this.#run = plain === flags ? (text) => once.test(text) : (text) => text.replace(all, '')
  }

  get isOver(): boolean {
    return this.#next >= this.#inputs.length
  }

  /** The first slow input of those that are left. */
  proceed(): Hostile | undefined {
    const context = createContext({ proceed: () => this.#inputs.find((_input, at) => this.#isSlowAt(at)) })
    try {
      return this.#script.runInContext(context, { timeout: TIMEOUT_MS })
    } catch (error) {
      if (!isTimeout(error)) throw error
      return this.#spent() > MIN_TIMEOUT_MICROSECONDS ? this.#inputs[this.#next - 1] : undefined
    }
  }

  #isSlowAt(at: number): boolean {
    const input = this.#inputs[at]
    if (input === undefined || at < this.#next) return false
    this.#next = at + 1
    return this.#isSuspicious(textOf(input, TRIED_LENGTH)) && this.#isSlow(textOf(input, CONVICTING_LENGTH))
  }

  /** By the clock, which is finer. */
  #isSuspicious(text: string): boolean {
    return isEach(TIMES, () => {
      const began = performance.now()
      this.#run(text)
      return performance.now() - began > SUSPICIOUS_MS
    })
  }

  #isSlow(text: string): boolean {
    this.#began = process.threadCpuUsage()
    for (let time = 0; time < TIMES; time += 1) this.#run(text)
    return this.#spent() > MAX_MICROSECONDS
  }

  #spent(): number {
    const { user, system } = process.threadCpuUsage(this.#began)
    return user + system
  }
}

function textOf({ prefix, pump, suffix }: Hostile, length: number): string {
  const text = prefix + pump.repeat(Math.ceil(length / Math.max(1, pump.length))) + suffix
  // One piece of memory: otherwise the first run puts it together.
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function isEach(times: number, check: () => boolean): boolean {
  return Array.from({ length: times }).every(check)
}

/** The error is of another realm, and no instance of Error here. */
function isTimeout(error: unknown): boolean {
  return Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
