import type { Room } from '@foyer/protocol/rooms'
import { ChannelContext } from '#src/channels/channel-context.ts'
import { MessageText } from '#src/messages/content/message-text.tsx'
import { useRoomChannel } from './use-room-channel.ts'

/** The description of a room, with its formatting. */
export function RoomDescription({ room }: { room: Room }) {
  const channel = useRoomChannel(room)
  return (
    <ChannelContext value={channel}>
      <MessageText text={room.description ?? ''} />
    </ChannelContext>
  )
}
