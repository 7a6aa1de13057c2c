import { conversationName } from '#src/conversations/conversation-name.ts'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { othersIn } from '#src/store/conversations.ts'
import type { State } from '#src/store/state.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { voiceChannelId } from '../phases.ts'
import { useVoice } from '../use-voice.ts'

/** Link to the current voice room or conversation. */
export function VoiceLink() {
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const name = useAppState((state) => nameOf(state, id))
  const path = useAppState((state) => pathOf(state, id))
  return (
    <PageLink className="voice-place" href={path}>
      {name}
    </PageLink>
  )
}

function nameOf({ rooms, spaces, conversations, me, users }: State, id: string): string {
  const room = rooms[id]
  if (room !== undefined) return `${roomName(room)} · ${spaces[room.space_id]?.name ?? ''}`
  const conversation = conversations[id]
  return conversation === undefined
    ? t('A call')
    : conversationName(conversation, othersIn({ me, users }, conversation))
}

function pathOf({ rooms }: State, id: string): string {
  const room = rooms[id]
  return room === undefined ? `/conversations/${id}` : `/spaces/${room.space_id}/rooms/${id}`
}
