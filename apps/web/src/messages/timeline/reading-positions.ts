import type { Session } from '#src/session/session.ts'
import type { Reading } from './list-view.ts'

/** Channels whose scroll position is kept; the oldest are dropped first. */
const MAX_POSITIONS = 50

const positions = new WeakMap<Session, Map<string, Reading>>()

/** Returns the scroll position at which the user left a channel: the end by default. */
export function readingPositionOf(session: Session, channelId: string): Reading {
  return positions.get(session)?.get(channelId) ?? { at: 'end' }
}

export function rememberReadingPosition(session: Session, channelId: string, reading: Reading): void {
  const held = positions.get(session) ?? new Map<string, Reading>()
  positions.set(session, held)
  held.delete(channelId)
  if (reading.at === 'rows') held.set(channelId, reading)
  const [oldest] = held.keys()
  if (held.size > MAX_POSITIONS && oldest !== undefined) held.delete(oldest)
}
