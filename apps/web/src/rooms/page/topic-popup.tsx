import type { Room } from '@foyer/protocol/rooms'
import { PopupPanel } from '#src/ui/popups/popup-panel.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { roomName } from '../names/room-name.ts'
import { RoomDescription } from './room-description.tsx'
import './topic-popup.css'

/** The whole description of a room. */
export function TopicPopup({ popup, room }: { popup: PopupAnchor; room: Room }) {
  return (
    <PopupPanel popup={popup} label={roomName(room)} className="topic-popover" side="bottom">
      <div className="topic-whole">
        <RoomDescription room={room} />
      </div>
    </PopupPanel>
  )
}
