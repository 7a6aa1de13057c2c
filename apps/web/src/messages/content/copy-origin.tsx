import type { CopiedMessage } from '@foyer/protocol/follows'
import { Megaphone } from 'lucide-react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './copy-origin.css'

/** Names the announcement room that a message was copied from, with a link to the original for those who can view it. */
export function CopyOrigin({ original: { space_id, room_id, message_id } }: { original: CopiedMessage }) {
  const { spaceId } = useChannel()
  const room = useAppState((state) => state.rooms[room_id])
  const space = useAppState((state) => state.spaces[space_id])
  const tabIndex = useRowPart()
  const isOfSpace = space_id === spaceId
  if (room === undefined || space === undefined)
    return (
      <p className="copy-origin">
        <Megaphone aria-hidden="true" />
        {isOfSpace ? t('Copied from another room') : t('Copied from another space')}
      </p>
    )
  const names = { room: roomLabel(room), space: space.name }
  return (
    <p className="copy-origin">
      <Megaphone aria-hidden="true" />
      <PageLink href={`/spaces/${space_id}/rooms/${room_id}/${message_id}`} tabIndex={tabIndex}>
        {isOfSpace ? t('From {room}', names) : t('From {room} in {space}', names)}
      </PageLink>
    </p>
  )
}
