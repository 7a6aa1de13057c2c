import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#src/kernel/database/database.ts'
import type { Challenges } from '#src/kernel/tls/challenges.ts'
import type { CertificatePair } from '#src/kernel/tls/pair.ts'
import { type Challenge, type ChallengeKind, listChallenges } from './queries.ts'

/** Shortest interval between reads of the pending challenges. Anyone can request any number of tokens. */
const READ_INTERVAL_MS = 200

/** Answers ACME servers on every process, regardless of which one requested the certificate. */
export class PendingChallenges implements Challenges {
  readonly #database: Database
  #next: Promise<readonly Challenge[]> | undefined
  #readAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the text that proves the host by HTTP. */
  async answer(token: string): Promise<string | undefined> {
    return (await this.#find('http-01', (challenge) => challenge.token === token))?.key_authorization
  }

  /** Returns the certificate that proves the host by TLS. */
  async certificate(host: string): Promise<CertificatePair | undefined> {
    const challenge = await this.#find('tls-alpn-01', (challenge) => challenge.host === host.toLowerCase())
    if (challenge === undefined) return undefined
    const { makeChallengeCertificate } = await import('./acme.ts')
    return makeChallengeCertificate(host, challenge.key_authorization)
  }

  async #find(kind: ChallengeKind, isIt: (challenge: Challenge) => boolean): Promise<Challenge | undefined> {
    this.#next ??= this.#readSoon()
    const pending = await this.#next
    return pending.find((challenge) => challenge.kind === kind && isIt(challenge))
  }

  /**
   * Reads the challenges once for all waiting callers. The read begins after their calls, so that it finds the challenges
   * they ask for.
   */
  async #readSoon(): Promise<readonly Challenge[]> {
    await delay(Math.max(0, this.#readAt + READ_INTERVAL_MS - Date.now()), undefined, { ref: false })
    this.#readAt = Date.now()
    this.#next = undefined
    return listChallenges(this.#database)
  }
}
