import {
  MAX_ADDRESS_CONNECTIONS,
  MAX_ADDRESS_JOINING,
  MAX_ADDRESS_UPGRADES,
  MAX_USER_CONNECTIONS,
} from '@foyer/protocol/limits'
import type { Logger } from 'pino'
import { isNearAddress } from '#src/kernel/http/near-addresses.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { RateWindows } from '#src/kernel/limits/rate-windows.ts'

const UPGRADE_WINDOW_MS = 60_000
const MIN_RETRY_SECONDS = 1
const RETRY_SPREAD_SECONDS = 10

const IDENTIFY_WINDOW_MS = 60_000
/** Maximum rows sent per minute to one user, or to one owner's bots: ten of the largest READYs, or 200 empty ones. */
const MAX_IDENTIFY_WEIGHT = 400_000
/** Weight, in rows, of a READY without any space. */
const EMPTY_READY_WEIGHT = 2000

/** Counters that drop an entry once it is back at zero. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: number): void {
    const count = this.of(key) + change
    if (count <= 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

/** Limits the connections of one address, and of one user, to this process. */
export class ConnectionLimits {
  readonly #log: Logger
  readonly #open = new Counts()
  readonly #joining = new Counts()
  readonly #users = new Counts()
  readonly #upgrades = new RateWindows(UPGRADE_WINDOW_MS)
  readonly #identified = new RateWindows(IDENTIFY_WINDOW_MS)
  readonly #suspected = new Set<string>()

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * Counts an upgrade.
   * @returns undefined if it is allowed, otherwise the seconds to wait before another try
   */
  refuse(address: string, now: number): number | undefined {
    const network = networkOf(address)
    const upgrades = this.#upgrades.at(network, MAX_ADDRESS_UPGRADES, now)
    const isOver =
      upgrades.count >= MAX_ADDRESS_UPGRADES ||
      this.#open.of(network) >= MAX_ADDRESS_CONNECTIONS ||
      this.#joining.of(network) >= MAX_ADDRESS_JOINING
    if (!isOver || this.#isNear(address)) {
      upgrades.count += 1
      return undefined
    }
    return MIN_RETRY_SECONDS + Math.floor(Math.random() * RETRY_SPREAD_SECONDS)
  }

  opened(address: string): void {
    this.#open.add(networkOf(address), 1)
    this.#joining.add(networkOf(address), 1)
  }

  /** Called when a connection became ready, or was closed before it was ready. */
  entered(address: string): void {
    this.#joining.add(networkOf(address), -1)
  }

  closed(address: string): void {
    this.#open.add(networkOf(address), -1)
  }

  /** @returns false if the user has too many connections */
  enter(userId: string): boolean {
    if (this.#users.of(userId) >= MAX_USER_CONNECTIONS) return false
    this.#users.add(userId, 1)
    return true
  }

  /** @returns false if the READYs of this minute have reached the limit */
  mayIdentify(budget: string, now: number): boolean {
    return this.#identified.at(budget, MAX_IDENTIFY_WEIGHT, now).count < MAX_IDENTIFY_WEIGHT
  }

  /** @param weight rows of the spaces that were sent, in READY or after it */
  identified(budget: string, weight: number, now: number): void {
    this.#identified.at(budget, MAX_IDENTIFY_WEIGHT, now).count += EMPTY_READY_WEIGHT + weight
  }

  leave(userId: string): void {
    this.#users.add(userId, -1)
  }

  #isNear(address: string): boolean {
    if (!isNearAddress(address)) return false
    if (!this.#suspected.has(address))
      this.#log.warn(
        { address },
        'unusually many gateway connections from one private address: is it a proxy missing from TRUSTED_PROXIES?',
      )
    this.#suspected.add(address)
    return true
  }
}
