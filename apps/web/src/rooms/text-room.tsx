import type { Room } from '@foyer/protocol/rooms'
import { Hash } from 'lucide-react'
import { ChannelPane } from '#src/channels/channel-pane.tsx'
import { useRoomChannel } from '#src/channels/use-room-channel.ts'
import { roomName } from './room-name.ts'

/** A room's messages and where one writes. */
export function TextRoom({ room, messageId }: { room: Room; messageId?: string | undefined }) {
  const channel = useRoomChannel(room)
  return (
    <ChannelPane
      channel={channel}
      beginning={<RoomBeginning room={room} />}
      denied="You can read this room, but not write in it."
      messageId={messageId}
    />
  )
}

function RoomBeginning({ room }: { room: Room }) {
  return (
    <>
      <span className="list-top-icon">
        <Hash aria-hidden="true" />
      </span>
      <h2>This is the beginning of #{roomName(room)}</h2>
      <p>{room.description ?? (room.last_seq === 0 ? 'Nobody has said anything yet. Say hello!' : '')}</p>
    </>
  )
}
