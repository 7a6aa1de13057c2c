import { Sights } from './sight.ts'

/** The word that spaces forbid at times. */
export const FORBIDDEN = 'wombat'
/** Stands for everyone whom the rules of a space check. */
export const EVERYONE = 'everyone'

/** The restrictions by moderators over time, derived from acknowledged requests: 'yes' while one certainly applies. */
export class Restrictions {
  /** Users by the rooms of the spaces in which they are timed out. */
  readonly timeouts = new Sights()
  /** Rooms in which FORBIDDEN is refused, under EVERYONE. */
  readonly rules = new Sights()
}
