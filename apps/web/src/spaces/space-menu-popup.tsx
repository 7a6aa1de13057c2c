import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { DoorClosed, Flag, IdCard, Info, LogOut, Plus, Settings, UserPlus } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { NotificationItem } from '#src/notifications/notification-item.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { isUnread, roomIdsOf } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { useOpenDialog } from '#src/ui/dialogs/dialog-outlet.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { PopupMenu } from '#src/ui/popups/popup-menu.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import { MarkReadItem } from '#src/unread/mark-read-item.tsx'
import { markAllRead } from '#src/unread/read-marks.ts'
import './about-space.css'
import { inviteRoom } from './landing.ts'
import { MoveItems } from './move-items.tsx'
import { hasSettings } from './settings/open-sections.ts'
import { type SpaceDialog, SpaceDialogs } from './space-dialogs.tsx'
import { sentencesOf } from './undecided/undecided-words.ts'
import { useUndecided } from './undecided/use-undecided.ts'

interface SpaceMenuPopupProps {
  space: SpaceEntry
  currentRoomId: string | null
  label: string
  popup: PopupAnchor
}

/** The actions for a space. */
export function SpaceMenuPopup({ space, currentRoomId, label, popup }: SpaceMenuPopupProps) {
  const id = useId()
  const rooms = useAppState((state) => state.rooms)
  const session = useSession()
  const unread = useAppState((state) => roomIdsOf(state, space.id).some((id) => isUnread(state, id)))
  const rights = usePermissions(space.id)
  const room = useMemo(() => inviteRoom(rooms, space, currentRoomId), [rooms, space, currentRoomId])
  const openDialog = useOpenDialog()
  const [notice, setNotice] = useState('')
  const target = { scope: 'space', id: space.id, name: space.name } as const
  function open(kind: SpaceDialog['kind']) {
    const dialog = { kind, spaceId: space.id, roomId: currentRoomId }
    openDialog((close) => <SpaceDialogs dialog={dialog} onClose={close} />)
  }
  return (
    <>
      <PopupMenu popup={popup} label={label}>
        {space.description !== null && (
          <p className="space-about" dir="auto">
            {space.description}
          </p>
        )}
        <p className="menu-note">
          {counted(space.member_count, '{count} member', '{count} members')}
          {rights.isOwner && ` · ${t('you’re the owner')}`}
        </p>
        {space.description !== null && (
          <Menu.Item className="menu-item" onClick={() => open('about')}>
            <Info aria-hidden="true" /> {t('About this space')}
          </Menu.Item>
        )}
        <MarkReadItem isUnread={unread} mark={() => markAllRead(session, space.id)} />
        {room !== undefined && (
          <Menu.Item className="menu-item" onClick={() => open('invite')}>
            <UserPlus aria-hidden="true" /> {t('Invite people')}
          </Menu.Item>
        )}
        {rights.may(Permission.ManageChannels) && (
          <Menu.Item className="menu-item" onClick={() => open('room')}>
            <Plus aria-hidden="true" /> {t('Create room')}
          </Menu.Item>
        )}
        <NotificationItem target={target} onOpen={() => open('notifications')} />
        {hasSettings(rights) && (
          <div className="space-undecided-item">
            <Menu.Item
              className="menu-item"
              aria-describedby={`${id}-undecided`}
              onClick={() => open('settings')}
            >
              <Settings aria-hidden="true" /> {t('Space settings')}
            </Menu.Item>
            <UndecidedCount id={`${id}-undecided`} spaceId={space.id} />
          </div>
        )}
        {rights.may('KickMembers') && (
          <Menu.Item
            className="menu-item"
            onClick={() => open(space.door_closed_at === null ? 'close-door' : 'door')}
          >
            <DoorClosed aria-hidden="true" />{' '}
            {space.door_closed_at === null ? t('Close the door…') : t('Open the door…')}
          </Menu.Item>
        )}
        {rights.may(Permission.ChangeNickname) && (
          <Menu.Item className="menu-item" onClick={() => open('nickname')}>
            <IdCard aria-hidden="true" /> {t('Change nickname')}
          </Menu.Item>
        )}
        <MoveItems spaceId={space.id} onMoved={setNotice} />
        {!rights.isOwner && (
          <>
            <Menu.Item className="menu-item menu-danger" onClick={() => open('report')}>
              <Flag aria-hidden="true" /> {t('Report space')}
            </Menu.Item>
            <Menu.Item className="menu-item menu-danger" onClick={() => open('leave')}>
              <LogOut aria-hidden="true" /> {t('Leave space')}
            </Menu.Item>
          </>
        )}
      </PopupMenu>
      <p role="status" className="visually-hidden">
        {notice}
      </p>
    </>
  )
}

/** The number of pending reports and appeals. Screen readers read it as the item's description, not as part of its label. */
function UndecidedCount({ id, spaceId }: { id: string; spaceId: string }) {
  const counts = useUndecided(spaceId)
  return (
    <>
      <span className="space-undecided" aria-hidden="true">
        <Count count={counts.reports + counts.appeals} isCalling />
      </span>
      <span id={id} hidden>
        {sentencesOf(counts)}
      </span>
    </>
  )
}
