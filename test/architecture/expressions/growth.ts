import { createContext, Script } from 'node:vm'
import { type Hostile, hostileInputs } from './hostile-inputs.ts'

/** Length of the texts with which each hostile input is tried, and of the text that proves a violation. */
const TRIED_LENGTH = 1000
const CONVICTING_LENGTH = 8000
/** Milliseconds for 1,000 characters above which the longer text is tried. A linear expression takes less than 0.02 ms. */
const SUSPICIOUS_MS = 0.15
/**
 * CPU time for three runs on 8,000 characters that proves a violation. A linear expression takes 0.3 ms, a quadratic one 50 to
 * 300 ms. Only the CPU time of this thread counts, so other load of the machine does not matter.
 */
const MAX_MICROSECONDS = 20_000
const TIMES = 3
/** Timeout of an expression, which only an expression with exponential time reaches. */
const TIMEOUT_MS = 1000
/** CPU time below which a timeout only shows that the machine is busy. */
const MIN_TIMEOUT_MICROSECONDS = 250_000

/** Runs a function with a timeout. Creating a context takes longer than most trials, so all of them share one. */
const context: { proceed?: () => Hostile | undefined } = createContext({})
const script = new Script('proceed()')

/** Returns a hostile input on which an expression takes more than linear time; undefined for a linear expression. */
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
  #next = 0
  /** CPU usage before the last suspicious input was tried at full length. */
  #began = process.threadCpuUsage()

  constructor(expression: RegExp) {
    this.#inputs = hostileInputs(expression)
    const { source, flags } = expression
    const plain = flags.replace(/[gy]/g, '')
    const [once, all] = [new RegExp(source, plain), new RegExp(source, `${plain}g`)]
    // Product code applies a global or sticky expression at every position, so the test does, too.
    this.#run = plain === flags ? (text) => once.test(text) : (text) => text.replace(all, '')
  }

  get isOver(): boolean {
    return this.#next >= this.#inputs.length
  }

  /** Returns the first slow input among the remaining ones. */
  proceed(): Hostile | undefined {
    context.proceed = () => this.#inputs.find((_input, at) => this.#isSlowAt(at))
    try {
      return script.runInContext(context, { timeout: TIMEOUT_MS })
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

  /** Measures with the wall clock, which has a finer resolution than CPU time. */
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
  // V8 joins the parts of a repeated text on first use. Copying joins them before the measurement begins.
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function isEach(times: number, check: () => boolean): boolean {
  return Array.from({ length: times }).every(check)
}

/** Returns true for a timeout. Its error is from another realm, so `instanceof Error` does not work. */
function isTimeout(error: unknown): boolean {
  return Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
