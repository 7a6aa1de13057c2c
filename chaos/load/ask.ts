import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, NetworkError } from '@foyer/sdk/rest'
import type { Dice } from '../random.ts'

/** What became of a request that was made until it was answered. */
export type Answer<Result> = Attempt<Result> & {
  /** More than one: an earlier one, of which nothing was heard, may still be carried out later. */
  tries: number
  /** Until it was clear, in ms. */
  tookMs: number
}

type Attempt<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'refused'; error: ApiError }
  /** Time was up: it may have happened. */
  | { kind: 'unclear'; error: unknown }

const MAX_PAUSE_MS = 1000
/** More than the longest that anything is stopped, and than a request waits for its turn where the machine has time for all. */
const SETTLING_MS = 10_000
/** A late one may take so many times as long as the one that was answered. */
const SLOWNESS = 2
/** A process that is cut off from the others may not know yet, for so long, of what somebody was given. */
export const MAX_STALE_MS = 2000
/** Request Timeout, which never arrived, and Too Many Requests. */
const NOT_HEARD = [408, 429]

/** Asks again until there is a clear answer, and counts what was not one. */
export class Asker {
  readonly #dice: Dice
  /** Unclear answers, by what they were. */
  readonly unclear = new Map<string, number>()
  readonly refusals = new Map<string, number>()
  readonly #over = new AbortController()
  /** On the clock of the run: after this it is not asked again. */
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
   * Asks for what takes something away. That there is nothing to take is said when an earlier request of which nothing was
   * heard was carried out, and by a process that does not know yet what was given: it is done when it is said again later.
   * @param statuses by which it is said
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
   * A request of which nothing was heard may be carried out as late as a stopped process goes on, and later where everything
   * is slow. What was asked for again is only certain after that: the next change could otherwise be undone by the late one.
   */
  async settle({ tries, tookMs }: Pick<Answer<unknown>, 'tries' | 'tookMs'>): Promise<void> {
    if (tries === 1) return
    // In the end no other change follows.
    await sleep(Math.max(SETTLING_MS, SLOWNESS * tookMs), undefined, { signal: this.#over.signal }).catch(
      () => undefined,
    )
  }

  /** What is under way has so much time left. */
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
    const isClear = error.status >= 400 && error.status < 500 && !NOT_HEARD.includes(error.status)
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
