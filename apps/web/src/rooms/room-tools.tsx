import { Menu } from '@base-ui/react/menu'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { ArrowDown, ArrowUp, EllipsisVertical, Settings, Trash2 } from 'lucide-react'
import '#src/ui/menu.css'
import type { RoomDialog } from './room-dialogs.tsx'
import { roomName } from './room-name.ts'
import type { Way } from './use-room-moves.ts'

interface RoomToolsProps {
  room: Room
  canStep: (room: Room, way: Way) => boolean
  onStep: (room: Room, way: Way) => void
  onOpen: (dialog: RoomDialog) => void
}

/** What somebody who manages a room can do with it from the list. */
export function RoomTools(props: RoomToolsProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className="room-tool" aria-label={`More about ${roomName(props.room)}`}>
        <EllipsisVertical aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="start">
          <Menu.Popup className="menu">
            <RoomMenu {...props} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function RoomMenu({ room, canStep, onStep, onOpen }: RoomToolsProps) {
  const kind = room.type === RoomType.Category ? 'category' : 'room'
  return (
    <>
      <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'settings', roomId: room.id })}>
        <Settings aria-hidden="true" /> {kind === 'category' ? 'Category settings' : 'Room settings'}
      </Menu.Item>
      {canStep(room, 'up') && (
        <Menu.Item className="menu-item" onClick={() => onStep(room, 'up')}>
          <ArrowUp aria-hidden="true" /> Move up
        </Menu.Item>
      )}
      {canStep(room, 'down') && (
        <Menu.Item className="menu-item" onClick={() => onStep(room, 'down')}>
          <ArrowDown aria-hidden="true" /> Move down
        </Menu.Item>
      )}
      <Menu.Item
        className="menu-item menu-danger"
        onClick={() => onOpen({ kind: 'delete', roomId: room.id })}
      >
        <Trash2 aria-hidden="true" /> Delete {kind}
      </Menu.Item>
    </>
  )
}
