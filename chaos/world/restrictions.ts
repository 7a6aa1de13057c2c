import { Sights } from './sight.ts'

/** The word that spaces forbid at times. */
export const FORBIDDEN = 'wombat'
/** Used as a user id: stands for all users to whom the rules of a space apply. */
export const EVERYONE = 'everyone'

/** Restrictions over time, derived from acknowledged requests: 'yes' while a restriction certainly applies. */
export class Restrictions {
  /** 'yes' for users in the rooms of spaces in which they are timed out. */
  readonly timeouts = new Sights()
  /** 'yes' for EVERYONE in the rooms in which FORBIDDEN is refused. */
  readonly rules = new Sights()
}
