import type { AutomodTrial } from '@foyer/protocol/automod'

/** Minimum messages for a trial to be meaningful. */
const MIN_CHECKED = 20

/** Returns true if a rule would have caught more than half of enough messages: probably a mistake. */
export function catchesMost({ checked, caught }: AutomodTrial): boolean {
  return checked >= MIN_CHECKED && caught > checked / 2
}
