import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { FollowButton } from '../following/follow-button.tsx'
import { VoiceChatButtons } from './voice-chat/voice-chat-buttons.tsx'

interface KindButtonsProps {
  room: Room
  channel: OpenChannel
}

/** The header buttons that only voice rooms or only announcement rooms have. */
export function KindButtons({ room, channel }: KindButtonsProps) {
  if (room.type === RoomType.Voice) return <VoiceChatButtons room={room} channel={channel} />
  return <FollowButton room={room} />
}
