import type { Presence } from '@foyer/protocol/presence'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { dispatchFrame, type Frame } from '../connections/frames.ts'

export function presenceFrame(presence: Presence): Frame {
  const data = encodeEvent('PRESENCE_UPDATE', presence)
  return dispatchFrame({ id: undefined, name: 'PRESENCE_UPDATE', data })
}

export function offlinePresence(userId: string): Presence {
  return { user_id: userId, status: 'offline', custom: null }
}

export function isSamePresence(one: Presence | undefined, other: Presence | undefined): boolean {
  return one?.status === other?.status && one?.custom === other?.custom
}
