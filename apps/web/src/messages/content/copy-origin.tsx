import { isLinkable } from '@foyer/markdown/links'
import type { CopiedMessage } from '@foyer/protocol/follows'
import { Megaphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './copy-origin.css'

/** Names the announcement room that a message was copied from, with a link to the original for those who can view it. */
export function CopyOrigin({ original }: { original: CopiedMessage }) {
  return (
    <p className="copy-origin">
      <Megaphone aria-hidden="true" />
      {original.server === undefined ? (
        <OwnOrigin original={original} />
      ) : (
        <RemoteOrigin original={original} server={original.server} />
      )}
    </p>
  )
}

function OwnOrigin({ original: { space_id, room_id, message_id } }: { original: CopiedMessage }): ReactNode {
  const { spaceId } = useChannel()
  const room = useAppState((state) => state.rooms[room_id])
  const space = useAppState((state) => state.spaces[space_id])
  const tabIndex = useRowPart()
  const isOfSpace = space_id === spaceId
  if (room === undefined || space === undefined)
    return isOfSpace ? t('Copied from another room') : t('Copied from another space')
  const names = { room: roomLabel(room), space: space.name }
  return (
    <PageLink href={`/spaces/${space_id}/rooms/${room_id}/${message_id}`} tabIndex={tabIndex}>
      {isOfSpace ? t('From {room}', names) : t('From {room} in {space}', names)}
    </PageLink>
  )
}

interface RemoteOriginProps {
  original: CopiedMessage
  server: string
}

/** Shows the names sent by the other server. Ignores its ids: it could send ids of rooms on this server, to pose as those. */
function RemoteOrigin({
  original: { url = '', room_name = '', space_name = '' },
  server,
}: RemoteOriginProps) {
  const tabIndex = useRowPart()
  // The host comes first: the other server chooses the names, and could push the host out of sight with a long one.
  const names = t('From {server}: #{room} in {space}', { room: room_name, space: space_name, server })
  if (!isLinkable(url)) return names
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {names}
    </a>
  )
}
