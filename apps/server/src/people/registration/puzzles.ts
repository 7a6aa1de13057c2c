import { hash, randomBytes } from 'node:crypto'
import type { SigninBody } from '@foyer/protocol/auth'
import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import { PuzzleMessage, solvesPart } from '@foyer/protocol/puzzle-work'
import type { Logger } from 'pino'
import { ApiError } from '#src/kernel/errors.ts'
import type { RateCounter, RateCounters } from '#src/kernel/limits/rate-limits.ts'
import { Macs } from '#src/kernel/secrets/macs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { needsNoPuzzle } from './admission.ts'
import { SignupSensor } from './sensor.ts'
import type { Registration } from './settings.ts'

/** Expected tries for one part of a puzzle, usually and during an attack, and the lifetime of a puzzle. */
export interface PuzzleWork {
  readonly restTries: number
  readonly attackTries: number
  readonly lifetimeMs: number
}

/** Bytes of a message to hash. With shorter messages, a browser would spend more time on calling SHA-256 than on hashing. */
const MESSAGE_BYTES = 32 * 1024
/** Parts of a puzzle. Many parts even out luck: only one puzzle in twenty takes over 1.2 times as long as usual. */
const PARTS = 64
/** Work of a puzzle by default; decision 53 has the measured times. The lifetime covers filling in the form. */
export const PUZZLE_WORK: PuzzleWork = { restTries: 1400, attackTries: 14_000, lifetimeMs: 10 * 60_000 }

interface PuzzleDeps {
  database: Queryable
  log: Pick<Logger, 'warn'>
  /** Undefined if rate limits are off: then there are no puzzles. */
  counters: RateCounters | undefined
  registration: Registration
  secretKey: string
  work?: PuzzleWork | undefined
}

/**
 * Ends a sign-up. If it created no account and no application, it is not counted, and its solution can be used again.
 */
export type Settle = (isMade: boolean) => Promise<void>

const uncounted: Settle = async () => undefined

/** Creates puzzles for new accounts and checks their solutions. A puzzle is only stored once it is solved. */
export class SignupPuzzles {
  readonly #deps: PuzzleDeps
  readonly #work: PuzzleWork
  readonly #macs: Macs
  readonly #sensor: SignupSensor | undefined

  constructor(deps: PuzzleDeps) {
    const { counters, database, log, secretKey, work = PUZZLE_WORK } = deps
    this.#deps = deps
    this.#work = work
    this.#macs = new Macs(secretKey, 'foyer puzzles')
    this.#sensor = counters && new SignupSensor({ counters, database, log })
  }

  /** Returns a puzzle for the client's network, or null if none is required. */
  async offer(network: string): Promise<Puzzle | null> {
    const mode = await this.#mode()
    if (this.#sensor === undefined || mode === 'off') return null
    const tries = this.#triesIn(mode, await this.#sensor.isAttack())
    return tries === 0 ? null : this.#make(tries, network)
  }

  /**
   * Lets a sign-up pass, or checks the solution of its puzzle, before the server does more expensive work.
   * @throws ApiError 403 without a required solution, 400 for a wrong or used one
   */
  async admit(body: Pick<SigninBody, 'puzzle' | 'invite'>, network: string): Promise<Settle> {
    const mode = await this.#mode()
    if (this.#sensor === undefined || mode === 'off') return uncounted
    const sensor = this.#sensor
    const isUsual = await sensor.take()
    const count: Settle = async (isMade) => {
      if (isMade) await sensor.confirm()
      else if (isUsual) await sensor.giveBack()
    }
    const tries = this.#triesIn(mode, !isUsual)
    if (tries === 0) return count
    try {
      const spent = await this.#spend(body, network, tries)
      return async (isMade) => {
        await count(isMade)
        if (!isMade && spent !== undefined) await this.#deps.counters?.clear(spent)
      }
    } catch (error) {
      await count(false)
      throw error
    }
  }

  async #mode() {
    return (await this.#deps.registration.current()).puzzle
  }

  /** Returns the expected tries for each part; 0 if no puzzle is needed. */
  #triesIn(mode: 'attack' | 'always', isAttack: boolean): number {
    if (isAttack) return this.#work.attackTries
    return mode === 'always' ? this.#work.restTries : 0
  }

  #make(tries: number, network: string): Puzzle {
    const expiresAt = Date.now() + this.#work.lifetimeMs
    const claims = [randomBytes(16).toString('base64url'), tries, expiresAt].join('.')
    return {
      token: `${claims}.${this.#macOf(claims, network)}`,
      parts: PARTS,
      tries,
      message_bytes: MESSAGE_BYTES,
      expires_at: new Date(expiresAt).toISOString(),
    }
  }

  async #spend(
    { puzzle = null, invite = null }: Pick<SigninBody, 'puzzle' | 'invite'>,
    network: string,
    tries: number,
  ): Promise<RateCounter | undefined> {
    if (puzzle !== null) return this.#use(puzzle, network, tries)
    if (await needsNoPuzzle(this.#deps.database, invite || null)) return undefined
    throw new ApiError('puzzle_required')
  }

  async #use(solution: PuzzleSolution, network: string, tries: number): Promise<RateCounter> {
    const now = Date.now()
    const claims = this.#read(solution.token, network)
    const isInTime = claims !== undefined && claims.expiresAt > now && claims.tries >= tries
    if (!isInTime || !isSolved(solution, claims.tries)) throw new ApiError('invalid_puzzle')
    const { lifetimeMs: windowMs } = this.#work
    const use: RateCounter = { subject: claims.id, name: 'puzzle', limit: 1, windowMs }
    const decision = await this.#deps.counters?.take([use], now)
    if (decision?.allowed === false) throw new ApiError('invalid_puzzle')
    return use
  }

  /** Returns the claims of a puzzle that we made for this network. */
  #read(token: string, network: string): { id: string; tries: number; expiresAt: number } | undefined {
    const at = token.lastIndexOf('.')
    const claims = token.slice(0, Math.max(0, at))
    if (!this.#macs.isOf(signedText(claims, network), token.slice(at + 1))) return undefined
    const [id = '', tries, expiresAt] = claims.split('.')
    return { id, tries: Number(tries), expiresAt: Number(expiresAt) }
  }

  #macOf(claims: string, network: string): string {
    return this.#macs.of(signedText(claims, network))
  }
}

function signedText(claims: string, network: string): string {
  return `${network} ${claims}`
}

/** Stops at the first wrong nonce, so that guessing costs the server one hash. */
function isSolved({ token, nonces }: PuzzleSolution, tries: number): boolean {
  if (nonces.length !== PARTS) return false
  const seed = hash('sha256', token, 'buffer')
  return nonces.every((nonce, part) => {
    const message = new PuzzleMessage(seed, part, MESSAGE_BYTES).at(nonce)
    return solvesPart(hash('sha256', message, 'buffer'), tries)
  })
}
