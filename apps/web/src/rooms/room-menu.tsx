import { Menu } from '@base-ui/react/menu'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { ArrowDown, ArrowUp, MessageSquare, Rss, Settings, Trash2 } from 'lucide-react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { NotificationItem } from '#src/notifications/notification-item.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { isUnread } from '#src/store/selectors.ts'
import type { Way } from '#src/ui/lists/row-steps.ts'
import { PopupMenu } from '#src/ui/popups/popup-menu.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { MarkReadItem } from '#src/unread/mark-read-item.tsx'
import { markRead } from '#src/unread/read-marks.ts'
import { notificationTarget } from './notification-target.ts'
import type { RoomDialog } from './room-dialogs.tsx'
import { useVoiceChat } from './use-voice-chat.ts'

export interface RoomToolsProps {
  room: Room
  /** True if the user may edit the room. */
  isManaged: boolean
  isTabStop: boolean
  canStep: (room: Room, way: Way) => boolean
  onStep: (room: Room, way: Way) => void
  onOpen: (dialog: RoomDialog) => void
}

interface RoomMenuProps extends RoomToolsProps {
  label: string
  popup: PopupAnchor
}

/** The menu of a room in the list. */
export function RoomMenu({ label, popup, ...props }: RoomMenuProps) {
  const { room, isManaged, onOpen } = props
  const session = useSession()
  const unread = useAppState((state) => isUnread(state, room.id))
  return (
    <PopupMenu popup={popup} label={label}>
      {room.type === RoomType.Voice && <ChatItem room={room} />}
      <MarkReadItem isUnread={unread} mark={() => markRead(session, room.id)} />
      <NotificationItem
        target={notificationTarget(room)}
        onOpen={() => onOpen({ kind: 'notifications', roomId: room.id })}
      />
      {room.announces && (
        <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'follow', roomId: room.id })}>
          <Rss aria-hidden="true" /> {t('Follow…')}
        </Menu.Item>
      )}
      {isManaged && <Management {...props} />}
    </PopupMenu>
  )
}

/** Opens the chat only. The link of a voice room also joins voice. */
function ChatItem({ room }: { room: Room }) {
  const [, navigate] = useLocation()
  const { turn } = useVoiceChat(room.id)

  function open() {
    navigate(`/spaces/${room.space_id}/rooms/${room.id}`)
    turn(true)
  }

  return (
    <Menu.Item className="menu-item" onClick={open}>
      <MessageSquare aria-hidden="true" /> {t('Open chat')}
    </Menu.Item>
  )
}

/** The items for members who manage the room. */
function Management({ room, canStep, onStep, onOpen }: RoomToolsProps) {
  const isCategory = room.type === RoomType.Category
  return (
    <>
      <Menu.Item className="menu-item" onClick={() => onOpen({ kind: 'settings', roomId: room.id })}>
        <Settings aria-hidden="true" /> {isCategory ? t('Category settings') : t('Room settings')}
      </Menu.Item>
      {canStep(room, 'up') && (
        <Menu.Item className="menu-item" onClick={() => onStep(room, 'up')}>
          <ArrowUp aria-hidden="true" /> {t('Move up')}
        </Menu.Item>
      )}
      {canStep(room, 'down') && (
        <Menu.Item className="menu-item" onClick={() => onStep(room, 'down')}>
          <ArrowDown aria-hidden="true" /> {t('Move down')}
        </Menu.Item>
      )}
      <Menu.Item
        className="menu-item menu-danger"
        onClick={() => onOpen({ kind: 'delete', roomId: room.id })}
      >
        <Trash2 aria-hidden="true" /> {isCategory ? t('Delete category') : t('Delete room')}
      </Menu.Item>
    </>
  )
}
