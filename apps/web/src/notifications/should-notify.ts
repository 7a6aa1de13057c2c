import type { NewMessage } from '@foyer/protocol/events'
import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { channelOfEvent, isKnownChannel } from '#src/store/channels.ts'
import { mentionsMe } from '#src/store/messages/read-states.ts'
import { isChannelMuted, notificationLevel } from '#src/store/notification-settings.ts'
import { isBusy } from '#src/store/presences.ts'
import type { State } from '#src/store/state.ts'

const NOTIFYING_TYPES: readonly number[] = [MessageType.Default, MessageType.InteractionResponse]

/** Returns true if the user should be notified about a new message. */
export function shouldNotify(state: State, message: NewMessage): boolean {
  const id = channelOfEvent(message)
  if (notifiesNobody(state, message)) return false
  if (!isKnownChannel(state, id)) return beginsFollowing(state, message)
  if (isChannelMuted(state, id)) return false
  const level = notificationLevel(state, id)
  return level === 'all' || (level === 'mentions' && mentionsMe(state, message))
}

/** Returns true if the user should be notified, provided that they follow the message's thread, which is not loaded. */
export function shouldNotifyFollower(state: State, message: NewMessage): boolean {
  if (notifiesNobody(state, message) || isKnownChannel(state, channelOfEvent(message))) return false
  const { parent_room_id: roomId = '' } = message
  return roomId in state.rooms && !isChannelMuted(state, roomId)
}

/** Returns true if the message must not notify the user, whatever the settings of its channel. */
function notifiesNobody(state: State, { author, flags, type, is_moved }: NewMessage): boolean {
  const isQuiet = (flags & MessageFlag.SuppressNotifications) !== 0 || !NOTIFYING_TYPES.includes(type)
  if (isQuiet || author.id === state.me?.id || author.id in state.blocks) return true
  return is_moved === true || isBusy(state)
}

/** Returns true if the message mentions the user in a thread that is not loaded. The mention makes them follow it. */
function beginsFollowing(state: State, { mentions, parent_room_id: roomId = '' }: Message): boolean {
  const isMentioned = mentions.some(({ id }) => id === state.me?.id)
  return isMentioned && roomId in state.rooms && !isChannelMuted(state, roomId)
}
