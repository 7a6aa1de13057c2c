import type { Room } from '@foyer/protocol/rooms'
import { Plus } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Hint } from '#src/ui/icon-button.tsx'
import { type RoomDialog, RoomDialogs } from './room-dialogs.tsx'
import { RoomLink } from './room-link.tsx'
import './room-list.css'
import { roomName } from './room-name.ts'
import './room-row.css'
import { RoomTools } from './room-tools.tsx'
import { useRoomList } from './use-room-list.ts'
import { useRoomMoves } from './use-room-moves.ts'

interface RoomListProps {
  spaceId: string
  currentRoomId: string | null
}

/** A space's rooms by category; what is unread stands out. Who manages rooms moves and changes them from here. */
export function RoomList({ spaceId, currentRoomId }: RoomListProps) {
  const listed = useRoomList(spaceId)
  const list = useRef<HTMLElement>(null)
  const { rowOf, step, canStep, isDragging, notice } = useRoomMoves(listed, list)
  const [dialog, setDialog] = useState<RoomDialog | null>(null)
  const isManaged = (room: Room) => listed.managed.has(room.id)
  const toolsOf = (room: Room) =>
    isManaged(room) && <RoomTools room={room} canStep={canStep} onStep={step} onOpen={setDialog} />

  return (
    <nav ref={list} className="room-list" aria-label="Rooms" data-dragging={isDragging || undefined}>
      {listed.groups.map(({ category, rooms }) => (
        <section
          key={category?.id ?? 'loose'}
          aria-label={category === null ? undefined : roomName(category)}
        >
          {category !== null && (
            <CategoryHeading room={category} row={rowOf(category)} tools={toolsOf(category)}>
              {listed.mayCreate && (
                <AddRoom
                  category={category}
                  onClick={() => setDialog({ kind: 'create', parentId: category.id })}
                />
              )}
            </CategoryHeading>
          )}
          {rooms.length > 0 && (
            <ul>
              {rooms.map((room) => (
                <li key={room.id} className="room-row" {...rowOf(room)}>
                  <RoomLink room={room} isCurrent={room.id === currentRoomId} isMovable={isManaged(room)} />
                  {toolsOf(room)}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      {listed.error !== null && (
        <p role="alert" className="form-error">
          {listed.error}
        </p>
      )}
      <p role="status" className="visually-hidden">
        {notice}
      </p>
      {dialog !== null && <RoomDialogs spaceId={spaceId} dialog={dialog} onClose={() => setDialog(null)} />}
    </nav>
  )
}

interface CategoryHeadingProps {
  room: Room
  /** What it has as a row of the list. */
  row: object
  tools: ReactNode
  children: ReactNode
}

function CategoryHeading({ room, row, tools, children }: CategoryHeadingProps) {
  return (
    <div className="room-row room-category-row" {...row}>
      <h2 className="room-category">{roomName(room)}</h2>
      {tools}
      {children}
    </div>
  )
}

function AddRoom({ category, onClick }: { category: Room; onClick: () => void }) {
  const label = `Create a room in ${roomName(category)}`
  return (
    <Hint label={label}>
      <button type="button" className="room-tool" aria-label={label} onClick={onClick}>
        <Plus aria-hidden="true" />
      </button>
    </Hint>
  )
}
