import { EllipsisVertical } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { Popup } from '#src/ui/popups/use-popup.ts'
import { roomName } from './names/room-name.ts'
import type { RoomToolsProps } from './room-menu.tsx'

const RoomMenu = lazyPopup(() => import('./room-menu.tsx').then((module) => module.RoomMenu))

/** The button that opens a room's menu. */
export function RoomTools({ menu, ...props }: RoomToolsProps & { menu: Popup }) {
  const { isWanted, trigger, popup } = menu
  const label = t('More options for {room}', { room: roomName(props.room) })
  return (
    <>
      <button
        type="button"
        {...trigger}
        className="room-tool"
        tabIndex={props.isTabStop ? 0 : -1}
        aria-label={label}
      >
        <EllipsisVertical aria-hidden="true" />
      </button>
      {isWanted && <RoomMenu {...props} label={label} popup={popup} />}
    </>
  )
}
