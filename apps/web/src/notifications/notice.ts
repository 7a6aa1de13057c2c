import type { Message } from '@foyer/protocol/messages'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { wordsOf } from '#src/messages/content/message-words.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { channelOfEvent, roomOf } from '#src/store/channels.ts'
import { nameLookup } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/** The content of a notification. */
export interface Notice {
  readonly title: string
  readonly body: string
  readonly url: string
  /** Id of the channel, or the tag of a call or raid. A new notification or push replaces an older one with the same tag. */
  readonly tag: string
  /** Null for a call or a raid, whose notifications stay until the user closes them. */
  readonly message_id: string | null
  readonly isRaid?: boolean
}

export function noticeOf(state: State, message: Message): Notice {
  const { space_id: spaceId } = message
  const nameOf = nameLookup(state.users, state.spaces[spaceId ?? ''], state.members[spaceId ?? ''])
  return {
    title: titleOf(state, message, nameOfAuthor(message, nameOf)),
    body: wordsOf(state, { spaceId, nameOf }, message) || t('Sent a message'),
    url: `${pathOf(message)}/${message.id}`,
    tag: channelOfEvent(message),
    message_id: message.id,
  }
}

function titleOf(state: State, message: Message, author: string): string {
  const { room_id, parent_room_id = null, conversation_id, space_id } = message
  const room = roomOf(state, room_id) ?? roomOf(state, parent_room_id)
  const space = state.spaces[space_id ?? '']
  if (room !== undefined && space !== undefined)
    return t('{author} (#{room}, {space})', { author, room: roomName(room), space: space.name })
  const group = state.conversations[conversation_id ?? '']?.name ?? null
  return group === null ? author : t('{author} ({group})', { author, group })
}

function pathOf({ room_id, conversation_id, space_id }: Message): string {
  return room_id === null ? `/conversations/${conversation_id}` : `/spaces/${space_id}/rooms/${room_id}`
}
