import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, topicOfChannel } from '#src/channels/place.ts'
import type { Bus } from '#src/kernel/bus.ts'
import { event } from '#src/kernel/events.ts'
import type { NoticeKind, NoticeThrottle } from './throttle.ts'

export interface NoticeDeps {
  bus: Bus
  notices: NoticeThrottle
}

const EVENT_NAMES = { typing: 'TYPING_START', recording: 'RECORDING_START' } as const

/**
 * Tells the room, or the conversation, that the caller types or records, unless it was told within the last 2 seconds.
 * Passes without trace.
 */
export async function sendNotice(
  { bus, notices }: NoticeDeps,
  access: ChannelAccess,
  kind: NoticeKind,
): Promise<void> {
  const { caller, place } = access
  if (!(await notices.take(kind, caller.user.id, place.channelId))) return
  const notice = { ...channelOf(place), user_id: caller.user.id }
  void bus.emit([{ id: undefined, audience: 0, ...event(topicOfChannel(place), EVENT_NAMES[kind], notice) }])
}
