import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, topicOfChannel } from '#src/channels/place.ts'
import { transientEvent } from '#src/kernel/database/events.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import type { IndicatorKind, IndicatorThrottle } from './throttle.ts'

export interface IndicatorDeps {
  bus: Bus
  indicatorThrottle: IndicatorThrottle
}

const EVENT_NAMES = { typing: 'TYPING_START', recording: 'RECORDING_START' } as const

/**
 * Publishes to the channel that the caller is typing or recording, at most once in 2 seconds. Not stored in the
 * journal.
 */
export async function sendIndicator(
  { bus, indicatorThrottle }: IndicatorDeps,
  access: ChannelAccess,
  kind: IndicatorKind,
): Promise<void> {
  const { caller, place } = access
  if (!(await indicatorThrottle.take(kind, caller.user.id, place.channelId))) return
  const indicator = { ...channelOf(place), user_id: caller.user.id }
  void bus.emit([transientEvent(topicOfChannel(place), EVENT_NAMES[kind], indicator)])
}
