import { type Bus, topicOf } from '#src/kernel/bus.ts'
import { event } from '#src/kernel/events.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import type { NoticeKind, NoticeThrottle } from './throttle.ts'

export interface NoticeDeps {
  bus: Bus
  notices: NoticeThrottle
}

const EVENT_NAMES = { typing: 'TYPING_START', recording: 'RECORDING_START' } as const

/** Tells the room that the caller types or records, unless it was told within the last 2 seconds. Passes without trace. */
export function sendNotice({ bus, notices }: NoticeDeps, access: RoomAccess, kind: NoticeKind): void {
  const { caller, room, spaceId } = access
  if (!notices.take(kind, caller.user.id, room.id)) return
  const notice = { room_id: room.id, conversation_id: null, space_id: spaceId, user_id: caller.user.id }
  bus.emit([
    { id: undefined, audience: 0, ...event(topicOf.room(spaceId, room.id), EVENT_NAMES[kind], notice) },
  ])
}
