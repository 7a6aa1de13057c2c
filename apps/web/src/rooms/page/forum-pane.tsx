import type { Room } from '@foyer/protocol/rooms'
import { ChannelContext } from '#src/channels/channel-context.ts'
import { ForumRoom } from '#src/forums/page/forum-room.tsx'
import { useRoomChannel } from './use-room-channel.ts'

/** The posts of a forum. Provides the channel for the mentions in its guidelines. */
export function ForumPane({ room }: { room: Room }) {
  return (
    <ChannelContext value={useRoomChannel(room)}>
      <ForumRoom room={room} />
    </ChannelContext>
  )
}
