import type { Foyer } from '../server/foyer.ts'
import type { Attacker } from './attacker.ts'
import type { Fixture } from './fixture.ts'

/** An attack on one part of the server: the most expensive use that the limits allow one person. */
export interface Attack {
  /** The name on the command line and in the table. */
  name: string
  /** Creates the attacker's accounts, spaces and other data, on a server without limits. */
  prepare(preparation: Preparation): Promise<Fixture>
  /** Attacks a server with limits until the signal is aborted. Runs in the attacker's process. */
  run(attacker: Attacker, signal: AbortSignal): Promise<void>
}

export interface Preparation {
  foyer: Foyer
  /** True for a smoke test, which creates little of everything. */
  isSmoke: boolean
}
