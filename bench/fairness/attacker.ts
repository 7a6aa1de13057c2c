import { setTimeout as sleep } from 'node:timers/promises'
import type { Person } from '../load/crowd.ts'
import { type Answer, type Ask, HttpClient } from '../load/http-client.ts'
import type { Fixture } from './fixture.ts'

/** Address of the attacker. Ordinary users have another, so that limits per address do not count them together. */
export const ATTACKER_ADDRESS = '127.0.0.2'

/** Counts of the attacker's requests, frames or connections, by outcome. */
export interface Tally {
  passed: number
  /** Refused by a limit: 429, or a closed connection. */
  limited: number
  /** Answered 503. */
  shed: number
  /** Answered with any other error. */
  failed: number
}

const MAX_PAUSE_MS = 1000

/** The accounts, requests and counts of one attack. */
export class Attacker {
  readonly port: number
  readonly fixture: Fixture
  readonly isSmoke: boolean
  readonly tally: Tally = { passed: 0, limited: 0, shed: 0, failed: 0 }
  readonly #client: HttpClient
  readonly #signal: AbortSignal
  readonly #acted = Promise.withResolvers<void>()

  /** @param signal also ends requests that are under way */
  constructor(given: { port: number; fixture: Fixture; isSmoke: boolean }, signal: AbortSignal) {
    this.port = given.port
    this.fixture = given.fixture
    this.isSmoke = given.isSmoke
    this.#client = new HttpClient(given.port, ATTACKER_ADDRESS)
    this.#signal = signal
    signal.addEventListener('abort', () => this.#client.close())
  }

  get person(): Person {
    return this.accomplice(0)
  }

  accomplice(index: number): Person {
    const person = this.fixture.people[index]
    if (person === undefined) throw new Error('the attack has too few accounts')
    return person
  }

  /** Returns the room for this turn, cycling through all rooms. */
  room(turn: number): string {
    const { roomIds } = this.fixture
    return roomIds[turn % roomIds.length] ?? ''
  }

  async ask(ask: Ask): Promise<Answer> {
    const answer = await this.#client.ask(ask)
    this.count(outcomeOf(answer.status))
    return answer
  }

  /** Counts an outcome. Ignores requests that end because the attack is over. */
  count(outcome: keyof Tally): void {
    if (this.#signal.aborted) return
    this.tally[outcome] += 1
    this.#acted.resolve()
  }

  /** Resolves after the first counted outcome. */
  get acted(): Promise<void> {
    return this.#acted.promise
  }

  /** Sends requests in parallel lanes. After a refusal a lane waits for the time in Retry-After, but at most one second. */
  async askInLanes(lanes: number, signal: AbortSignal, next: (turn: number) => Ask): Promise<void> {
    let turn = 0
    const lane = async () => {
      while (!signal.aborted) {
        const { status, retryAfterSeconds } = await this.ask(next(turn++))
        if (status === 429 || status === 503 || status === 0)
          await pause(Math.min(MAX_PAUSE_MS, retryAfterSeconds * 1000 || MAX_PAUSE_MS), signal)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  /** Sends requests at a fixed rate, without waiting for answers. */
  async askAtRate(perSecond: number, signal: AbortSignal, next: (turn: number) => Ask): Promise<void> {
    const startedAt = performance.now()
    for (let turn = 0; !signal.aborted; turn += 1) {
      void this.ask(next(turn))
      await pause(startedAt + ((turn + 1) / perSecond) * 1000 - performance.now(), signal)
    }
  }
}

/** Sleeps. Resolves early when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

function outcomeOf(status: number): keyof Tally {
  if (status === 429) return 'limited'
  if (status === 503) return 'shed'
  return status >= 200 && status < 300 ? 'passed' : 'failed'
}
