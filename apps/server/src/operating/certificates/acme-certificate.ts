import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { Front } from '#src/kernel/tls/front.ts'
import { type CheckedPair, checkPair } from '#src/kernel/tls/pair.ts'
import type { AcmeTls } from '#src/kernel/tls/settings.ts'
import {
  type CertificateRow,
  type ChallengeKind,
  endLease,
  findAccountKey,
  findCertificate,
  storeAccountKey,
  storeCertificate,
  takeLease,
} from './queries.ts'
import { nextAttemptAt, renewalTimeOf } from './renewal-times.ts'

export interface AcmeDeps {
  database: Database
  sealer: Sealer
  log: Logger
  settings: AcmeTls
  front: Front
}

/** Interval at which each process checks for a certificate that another process got, or that is due for renewal. */
const LOOK_MS = 60_000
/** Time limit of an order. */
const ORDER_MS = 4 * 60_000
const LEASE_SECONDS = 5 * 60

/**
 * The certificate of an ACME server. It is stored encrypted in the database, so that all processes use the same one; the
 * process with the lease renews it.
 */
export class AcmeCertificate {
  readonly #deps: AcmeDeps
  readonly #stop = new AbortController()
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  /** Time of the last attempt before this process started. */
  #triedBefore: string | null = null
  /** Chain of the stored certificate if its key could not be opened. It is not tried again. */
  #useless: string | undefined

  constructor(deps: AcmeDeps) {
    this.#deps = deps
  }

  /** Uses the stored certificate, and requests one in the background if it is missing or old. */
  async start(): Promise<void> {
    const { database, settings, log } = this.#deps
    const row = await findCertificate(database, settings.host)
    this.#triedBefore = row?.tried_at ?? null
    this.#adopt(row)
    if (!this.#deps.front.isSecure)
      log.warn(`there is no valid certificate for ${settings.host}: ${this.#withoutCertificate()}`)
    this.#lookAndGoOn()
  }

  /** Uses the stored certificate, and renews it if it is due. Concurrent calls share one check. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) =>
        this.#deps.log.error({ err: error }, 'the certificate could not be looked up'),
      )
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  /** Aborts a running order. */
  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#looking
  }

  #lookAndGoOn(): void {
    void this.look().then(() => {
      if (!this.#stop.signal.aborted)
        this.#timer = setTimeout(() => this.#lookAndGoOn(), LOOK_MS * (0.9 + Math.random() / 5)).unref()
    })
  }

  async #look(): Promise<void> {
    const { database, settings, log } = this.#deps
    const { host } = settings
    const row = await findCertificate(database, host)
    this.#adopt(row)
    if (!this.#isDue(row, Date.now()) || this.#stop.signal.aborted) return
    const seen = row?.tried_at ?? null
    if (await takeLease(database, { host, seen, seconds: LEASE_SECONDS }))
      await this.#renew(row?.failures ?? 0)
    else log.info(`another process requests the certificate for ${host}`)
  }

  #isDue(row: CertificateRow | undefined, now: number): boolean {
    if (row === undefined) return true
    const triedAt = row.tried_at === null ? 0 : Date.parse(row.tried_at)
    // After a restart of several processes, the process with the shortest pause renews, and its attempt counts for all.
    const isFresh = row.tried_at === this.#triedBefore
    if (nextAttemptAt(triedAt, row.failures, isFresh) > now) return false
    const isOther = row.chain === null || row.chain === this.#useless
    if (isOther || row.directory !== this.#deps.settings.directory) return true
    return row.renew_at === null || Date.parse(row.renew_at) <= now
  }

  /** Uses the stored certificate, unless it is in use already or cannot be opened. */
  #adopt(row: CertificateRow | undefined): void {
    const { chain = null, private_key = null } = row ?? {}
    if (chain === null || private_key === null) return
    if (chain === this.#deps.front.pair?.chain || chain === this.#useless) return
    const { sealer, log, settings } = this.#deps
    try {
      this.#use(
        checkPair({ chain, key: sealer.open(private_key, sealContext('certificate', settings.host)) }),
      )
    } catch (error) {
      this.#useless = chain
      log.error(
        { err: error },
        'the stored certificate cannot be opened with this SECRET_KEY: another one is requested',
      )
    }
  }

  #use(pair: CheckedPair): void {
    const { front, log, settings } = this.#deps
    front.use(pair)
    log.info(
      `HTTPS has a certificate for ${settings.host}, valid until ${new Date(pair.endsAt).toISOString()}`,
    )
  }

  async #renew(failures: number): Promise<void> {
    const { database, settings, log } = this.#deps
    log.info(`a certificate for ${settings.host} is requested from ${settings.directory}`)
    try {
      const pair = await this.#order()
      await this.#store(pair)
      this.#use(pair)
    } catch (error) {
      const hasFailed = !this.#stop.signal.aborted
      await endLease(database, { host: settings.host, hasFailed })
      if (hasFailed) log.error(this.#explain(error, failures + 1))
    }
  }

  async #order(): Promise<CheckedPair> {
    const { database, settings } = this.#deps
    const [{ untilAborted }, { orderCertificate }] = await Promise.all([
      import('./acme.ts'),
      import('./order.ts'),
    ])
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ORDER_MS)])
    const accountKey = await this.#accountKey()
    return untilAborted(signal, () =>
      orderCertificate({ ...settings, database, accountKey, signal, kinds: this.#challengeKinds() }),
    )
  }

  /** Lists the possible challenges. HTTP comes first: a proxy in front of HTTPS_PORT would block TLS-ALPN. */
  #challengeKinds(): ChallengeKind[] {
    return this.#deps.front.hasHttp ? ['http-01', 'tls-alpn-01'] : ['tls-alpn-01']
  }

  async #accountKey(): Promise<string> {
    const { database, sealer, settings } = this.#deps
    const context = sealContext('ACME account', settings.directory)
    const stored = await findAccountKey(database, settings.directory)
    try {
      if (stored !== undefined) return sealer.open(stored, context)
    } catch {
      // The key was sealed with another SECRET_KEY. A new account works as well.
    }
    const { makeKey } = await import('./acme.ts')
    const key = await makeKey()
    await storeAccountKey(database, settings.directory, sealer.seal(key, context))
    return key
  }

  async #store(pair: CheckedPair): Promise<void> {
    const { database, sealer, settings } = this.#deps
    const { host, directory } = settings
    const privateKey = sealer.seal(pair.key, sealContext('certificate', host))
    const renewAt = new Date(renewalTimeOf(pair))
    await storeCertificate(database, { host, directory, chain: pair.chain, privateKey, renewAt })
  }

  #explain(error: unknown, failures: number): string {
    const { front, settings } = this.#deps
    const next = new Date(nextAttemptAt(Date.now(), failures, false)).toISOString()
    const state = front.isSecure
      ? 'the present certificate stays in use'
      : `${this.#withoutCertificate()}. Check that the ports 443 and 80 of ${settings.host} lead here`
    return `no certificate from ${settings.directory}: ${wordsOf(error)}. The next attempt is at ${next}; ${state}`
  }

  #withoutCertificate(): string {
    const { front, settings } = this.#deps
    if (front.pair !== undefined) return 'until there is one, browsers refuse the former one'
    return settings.isGuess
      ? 'until there is one, Foyer answers on PORT alone. Behind a proxy, set TLS=off'
      : 'until there is one, HTTP is not encrypted'
  }
}

function sealContext(what: string, name: string): string {
  return `${what} ${name}`
}
