import { type Room, RoomType } from '@foyer/protocol/rooms'
import { memo, useMemo } from 'react'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { VoicePeople } from '#src/voice/people/voice-people.tsx'
import type { RoomDialog } from '../room-dialogs.tsx'
import { RoomLink } from './room-link.tsx'
import './room-row.css'
import { ThreadsBelow } from '#src/thread-rooms/in-use/threads-below.tsx'
import { RoomTools } from '../room-tools.tsx'
import type { RoomSigns } from './room-signs.ts'
import type { MoveActions, RowLook } from './use-room-moves.ts'

interface RoomRowProps extends RowLook, Partial<RoomSigns> {
  room: Room
  /** Position among the rooms of its category, counted from 1. */
  position: number
  count: number
  isCurrent: boolean
  /** True while its messages are on screen. */
  isSeen: boolean
  isPrivate: boolean
  /** True if threads of the room are loaded. */
  hasThreads: boolean
  isManaged: boolean
  isTabStop: boolean
  actions: MoveActions
  onOpen: (dialog: RoomDialog) => void
}

/** A room in the list. Memoized, and rendered only when its own props change: there may be 500. */
export const RoomRow = memo(function RoomRow(props: RoomRowProps) {
  const { room, position, count, isCurrent, isSeen, isManaged, isTabStop, isDragged, mark, actions, onOpen } =
    props
  const { isUnread = false, mentions = 0, isMuted = false } = props
  const menu = usePopup({ kind: 'menu' })
  const handlers = useMemo(
    () => (isManaged ? actions.handlersOf(room.id) : {}),
    [isManaged, actions, room.id],
  )
  return (
    <li aria-posinset={position} aria-setsize={count}>
      <div
        className="room-row"
        data-room={room.id}
        data-dragged={isDragged || undefined}
        data-mark={mark}
        {...handlers}
        {...menu.row}
      >
        <RoomLink
          room={room}
          isCurrent={isCurrent}
          isPrivate={props.isPrivate}
          isMovable={isManaged}
          isTabStop={isTabStop}
          isUnread={isUnread && !isSeen}
          mentions={isSeen ? 0 : mentions}
          isMuted={isMuted}
        />
        <RoomTools
          menu={menu}
          room={room}
          isManaged={isManaged}
          isTabStop={isTabStop}
          canStep={actions.canStep}
          onStep={actions.step}
          onOpen={onOpen}
        />
      </div>
      {room.type === RoomType.Voice && <VoicePeople room={room} />}
      <ThreadsBelow roomId={room.id} hasThreads={props.hasThreads} />
    </li>
  )
})
