import type { Session } from '#src/session/session.ts'
import type { Reading } from './list-view.ts'

/** More channels than these are begun at their ends again, the longest ago left first. */
const MAX_PLACES = 50

const places = new WeakMap<Session, Map<string, Reading>>()

/** Where the reader was in a channel when they left it: at its end, unless they had scrolled back. */
export function placeIn(session: Session, channelId: string): Reading {
  return places.get(session)?.get(channelId) ?? { at: 'end' }
}

export function rememberPlace(session: Session, channelId: string, reading: Reading): void {
  const held = places.get(session) ?? new Map<string, Reading>()
  places.set(session, held)
  held.delete(channelId)
  if (reading.at === 'rows') held.set(channelId, reading)
  const [oldest] = held.keys()
  if (held.size > MAX_PLACES && oldest !== undefined) held.delete(oldest)
}
