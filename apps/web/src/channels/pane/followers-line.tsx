import { Permission } from '@foyer/protocol/permissions'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Megaphone } from 'lucide-react'
import { useCallback } from 'react'
import { counted } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useChannel } from '../channel-context.ts'
import './pane-line.css'

const { ManageChannels, SendMessages } = Permission

/** Shows how many rooms get a copy of new messages, to members who can both write in the room and manage it. */
export function FollowersLine() {
  const { id, may } = useChannel()
  const announces = useAppState((state) => state.rooms[id]?.announces ?? false)
  if (!announces || !may(ManageChannels) || !may(SendMessages)) return null
  return <Followers key={id} roomId={id} />
}

function Followers({ roomId }: { roomId: string }) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.rooms.followers(roomId, options),
    [roomId],
  )
  const { answer } = useAnswer(ask)
  if (answer.state !== 'here' || answer.value.count === 0) return null
  return (
    <p className="pane-line">
      <Megaphone aria-hidden="true" />
      <span>{counted(answer.value.count, 'Followed by {count} room', 'Followed by {count} rooms')}</span>
    </p>
  )
}
