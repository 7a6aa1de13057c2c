import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import type { Dice } from '../random.ts'

/** The answer to a request that was repeated until the answer was clear. */
export type Answer<Result> = Attempt<Result> & {
  /** Number of tries. If it is more than one, an earlier, unanswered request may still be executed. */
  tries: number
  /** Milliseconds until a clear answer. */
  tookMs: number
}

type Attempt<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'refused'; error: ApiError }
  /** No clear answer, such as after a timeout: the request may have been executed. */
  | { kind: 'unclear'; error: unknown }

const MAX_PAUSE_MS = 1000
/** Time longer than any pause of a process, and longer than requests wait in queues of a machine that is not overloaded. */
const SETTLING_MS = 10_000
/** Factor by which an unanswered request may be slower than the answered one. */
const SLOWNESS = 2
/** Maximum time after which even a process that is cut off from the others knows of granted access. */
export const MAX_STALE_MS = 2000
/** Statuses without a decision: Request Timeout and Too Many Requests. */
const UNDECIDED = [408, 429]

/** Repeats requests until there is a clear answer, and counts unclear ones. */
export class Asker {
  readonly #dice: Dice
  /** Counts of unclear answers by name. */
  readonly unclear = new Map<string, number>()
  readonly refusals = new Map<string, number>()
  readonly #over = new AbortController()
  /** Time on the clock of the run after which requests are not repeated. */
  #deadline = Number.POSITIVE_INFINITY

  constructor(dice: Dice) {
    this.#dice = dice
  }

  async ask<Result>(request: () => Promise<Result>): Promise<Answer<Result>> {
    const from = performance.now()
    for (let tries = 1; ; tries += 1) {
      const attempted = await attempt(request)
      const answer = { ...attempted, tries, tookMs: performance.now() - from }
      if (answer.kind === 'refused') count(this.refusals, nameOf(answer.error))
      if (answer.kind !== 'unclear') return answer
      count(this.unclear, nameOf(answer.error))
      if (performance.now() > this.#deadline) return answer
      await sleep(this.#dice.between(0.1, 1) * MAX_PAUSE_MS)
    }
  }

  /**
   * Requests a removal. "Nothing to remove" can mean that an unanswered try succeeded, or that the process does not know yet
   * of the addition. The removal counts as done only if a second request gets the same answer later.
   * @param statuses that mean "nothing to remove"
   */
  async askToTake(request: () => Promise<unknown>, statuses: readonly number[]): Promise<Answer<unknown>> {
    const first = await this.ask(request)
    if (!isRefusedBy(first, statuses)) return first
    await sleep(MAX_STALE_MS)
    const second = await this.ask(request)
    const tries = Math.max(first.tries, second.tries)
    const tookMs = first.tookMs + second.tookMs
    if (isRefusedBy(second, statuses)) return { kind: 'done', result: undefined, tries, tookMs }
    return { ...second, tries, tookMs }
  }

  /**
   * Waits until unanswered tries can no longer be executed. A stopped process may execute one when it continues, even later on
   * a slow machine, and would then undo the next change.
   */
  async settle({ tries, tookMs }: Pick<Answer<unknown>, 'tries' | 'tookMs'>): Promise<void> {
    if (tries === 1) return
    // The end of the run ends the wait, because no change follows.
    await sleep(Math.max(SETTLING_MS, SLOWNESS * tookMs), undefined, { signal: this.#over.signal }).catch(
      () => undefined,
    )
  }

  /** Limits the time for requests in flight, and ends waits of `settle`. */
  end(withinMs: number): void {
    this.#deadline = performance.now() + withinMs
    this.#over.abort()
  }
}

function isRefusedBy(answer: Answer<unknown>, statuses: readonly number[]): boolean {
  return answer.kind === 'refused' && statuses.includes(answer.error.status)
}

async function attempt<Result>(request: () => Promise<Result>): Promise<Attempt<Result>> {
  try {
    return { kind: 'done', result: await request() }
  } catch (error) {
    if (error instanceof NetworkError) return { kind: 'unclear', error }
    if (!(error instanceof ApiError)) throw error
    const isClear = error.status >= 400 && error.status < 500 && !UNDECIDED.includes(error.status)
    return isClear ? { kind: 'refused', error } : { kind: 'unclear', error }
  }
}

function nameOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.status} ${error.code ?? ''}`.trim()
  return 'no answer'
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
