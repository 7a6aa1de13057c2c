import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { channelOfEvent } from '#src/store/channels.ts'
import { mentionsMe } from '#src/store/messages/read-states.ts'
import { isChannelMuted, notificationLevel } from '#src/store/notification-settings.ts'
import { isBusy } from '#src/store/presences.ts'
import type { State } from '#src/store/state.ts'

const NOTIFYING_TYPES: readonly number[] = [MessageType.Default, MessageType.InteractionResponse]

/** Returns true if the user should be notified about a new message. */
export function shouldNotify(state: State, message: Message): boolean {
  const { author, flags, type } = message
  const id = channelOfEvent(message)
  const isQuiet = (flags & MessageFlag.SuppressNotifications) !== 0 || !NOTIFYING_TYPES.includes(type)
  const isKnown = id in state.rooms || id in state.conversations
  if (isQuiet || !isKnown || author.id === state.me?.id || author.id in state.blocks) return false
  if (isChannelMuted(state, id) || isBusy(state)) return false
  const level = notificationLevel(state, id)
  return level === 'all' || (level === 'mentions' && mentionsMe(state, message))
}
