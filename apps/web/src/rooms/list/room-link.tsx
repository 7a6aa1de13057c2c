import { type Room, RoomType } from '@foyer/protocol/rooms'
import { BellOff } from 'lucide-react'
import { memo } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { useJoinOnClick } from '#src/voice/use-join-room.ts'
import { RoomIcon } from '../names/room-icon.tsx'
import { roomName } from '../names/room-name.ts'
import type { RoomSigns } from './room-signs.ts'

interface RoomLinkProps extends RoomSigns {
  room: Room
  isCurrent: boolean
  isPrivate: boolean
  isMovable: boolean
  isTabStop: boolean
}

/** Memoized: there may be hundreds, and switching rooms changes only two of them. */
export const RoomLink = memo(function RoomLink(props: RoomLinkProps) {
  const { room, isCurrent, isPrivate, isMovable, isTabStop, isUnread, mentions, isMuted } = props
  const isVoice = room.type === RoomType.Voice
  const joinOnClick = useJoinOnClick(room)
  const name = roomName(room)
  return (
    <PageLink
      href={`/spaces/${room.space_id}/rooms/${room.id}`}
      className="room-link"
      onClick={joinOnClick}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={[
        name,
        ...(mentions > 0 ? [counted(mentions, '{count} mention', '{count} mentions')] : []),
        ...(isVoice ? [t('voice')] : []),
        ...(room.announces ? [t('announcements')] : []),
        ...(isPrivate ? [t('private')] : []),
        ...(isMuted ? [t('muted')] : []),
        ...(isUnread ? [t('unread')] : []),
      ].join(', ')}
      aria-current={isCurrent ? 'page' : undefined}
      aria-keyshortcuts={isMovable ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
      data-unread={isUnread || undefined}
      data-muted={isMuted || undefined}
      draggable={false}
    >
      <RoomIcon room={room} isPrivate={isPrivate} />
      <span className="room-name" dir="auto">
        {name}
      </span>{' '}
      {isMuted && <BellOff aria-hidden="true" className="muted-mark" />}
      {mentions > 0 ? (
        <Count count={mentions} isCalling={!isMuted} />
      ) : (
        isUnread && <span className="unread-dot" />
      )}
    </PageLink>
  )
})
