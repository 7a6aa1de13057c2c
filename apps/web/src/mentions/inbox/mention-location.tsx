import type { Conversation } from '@foyer/protocol/conversations'
import type { Message } from '@foyer/protocol/messages'
import { useConversationName } from '#src/conversations/conversation-name.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { roomOf } from '#src/search/hit-groups.ts'
import { useAppState } from '#src/session/context.ts'

/** Location of a mention: the space and room, or the conversation. */
export function MentionLocation({ message }: { message: Message }) {
  const space = useAppState((state) => state.spaces[message.space_id ?? ''])
  const room = useAppState((state) => state.rooms[roomOf(message) ?? ''])
  const conversation = useAppState((state) => state.conversations[message.conversation_id ?? ''])
  if (conversation !== undefined) return <ConversationLocation conversation={conversation} />
  if (space === undefined || room === undefined) return null
  return (
    <h3>
      <bdi>{roomLabel(room)}</bdi>
      <bdi className="mention-space">{space.name}</bdi>
    </h3>
  )
}

function ConversationLocation({ conversation }: { conversation: Conversation }) {
  return (
    <h3>
      <bdi>{useConversationName(conversation)}</bdi>
    </h3>
  )
}
