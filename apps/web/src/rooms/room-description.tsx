import type { Room } from '@foyer/protocol/rooms'
import { ChannelContext } from '#src/channels/channel-context.ts'
import { useRoomChannel } from '#src/channels/use-room-channel.ts'
import { MessageText } from '#src/messages/content/message-text.tsx'

/** The description of a room, with its formatting. */
export function RoomDescription({ room }: { room: Room }) {
  const channel = useRoomChannel(room)
  return (
    <ChannelContext value={channel}>
      <MessageText text={room.description ?? ''} />
    </ChannelContext>
  )
}
