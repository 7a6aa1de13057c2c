import { randomBytes } from 'node:crypto'
import type { Findings } from '../audit/findings.ts'
import type { Dice } from '../random.ts'
import type { Ledger } from '../world/ledger.ts'
import type { Sights } from '../world/sight.ts'
import type { Person } from '../world/tenant.ts'
import type { Asker } from './ask.ts'
import type { Recent } from './recent.ts'
import type { Rights } from './rights.ts'

/** The parts that all actors have. */
export interface ActorParts {
  person: Person
  ledger: Ledger
  sights: Sights
  rights: Rights
  asker: Asker
  findings: Findings
  recent: Recent
  dice: Dice
}

/** Share of messages with a word that automod forbids. */
export const FORBIDDEN_SHARE = 0.05
const MAX_TEXT_BYTES = 60

/** Returns a text that no other message has. */
export function randomText(dice: Dice): string {
  return randomBytes(1 + dice.below(MAX_TEXT_BYTES)).toString('base64url')
}
