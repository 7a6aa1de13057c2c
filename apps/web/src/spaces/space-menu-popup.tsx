import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { IdCard, LogOut, Plus, Settings, UserPlus } from 'lucide-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { InviteDialog } from '#src/invites/invite-dialog.tsx'
import { counted, t } from '#src/language/texts.ts'
import { markAllRead } from '#src/messages/read-marks.ts'
import { NotificationDialog } from '#src/notifications/notification-dialog.tsx'
import { NotificationItem } from '#src/notifications/notification-item.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { roomName } from '#src/rooms/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { isUnread, roomIdsOf } from '#src/store/selectors.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { PopupMenu } from '#src/ui/popup-menu.tsx'
import type { PopupAnchor } from '#src/ui/use-popup.ts'
import { MarkReadItem } from '#src/unread/mark-read-item.tsx'
import { inviteRoom } from './landing.ts'
import { LeaveSpace } from './leave-space.tsx'
import { MoveItems } from './move-items.tsx'
import { hasSettings } from './settings/open-sections.ts'

const SpaceSettings = lazyComponent(() =>
  import('./settings/space-settings.tsx').then((module) => module.SpaceSettings),
)

const NicknameDialog = lazyComponent(() =>
  import('./settings/members/nickname-dialog.tsx').then((module) => module.NicknameDialog),
)

const CreateRoomDialog = lazyComponent(() =>
  import('#src/rooms/create-room-dialog.tsx').then((module) => module.CreateRoomDialog),
)

type Opened = 'invite' | 'room' | 'settings' | 'notifications' | 'nickname' | 'leave'

interface SpaceMenuPopupProps {
  space: SpaceEntry
  currentRoomId: string | null
  label: string
  popup: PopupAnchor
}

/** What one can do with a space, and what that opens. */
export function SpaceMenuPopup({ space, currentRoomId, label, popup }: SpaceMenuPopupProps) {
  const me = useAppState((state) => state.me)
  const rooms = useAppState((state) => state.rooms)
  const session = useSession()
  const unread = useAppState((state) => roomIdsOf(state, space.id).some((id) => isUnread(state, id)))
  const rights = usePermissions(space.id)
  const room = useMemo(() => inviteRoom(rooms, space, currentRoomId), [rooms, space, currentRoomId])
  const [open, setOpen] = useState<Opened | null>(null)
  const [notice, setNotice] = useState('')
  const place = { scope: 'space', id: space.id, name: space.name } as const
  const close = useCallback(() => setOpen(null), [])
  return (
    <>
      <PopupMenu popup={popup} label={label}>
        <p className="menu-note">
          {counted(space.member_count, '{count} member', '{count} members')}
          {rights.isOwner && ` · ${t('yours')}`}
        </p>
        <MarkReadItem isUnread={unread} mark={() => markAllRead(session, space.id)} />
        {room !== undefined && (
          <Menu.Item className="menu-item" onClick={() => setOpen('invite')}>
            <UserPlus aria-hidden="true" /> {t('Invite people')}
          </Menu.Item>
        )}
        {rights.may(Permission.ManageChannels) && (
          <Menu.Item className="menu-item" onClick={() => setOpen('room')}>
            <Plus aria-hidden="true" /> {t('Create room')}
          </Menu.Item>
        )}
        <NotificationItem place={place} onOpen={() => setOpen('notifications')} />
        {hasSettings(rights) && (
          <Menu.Item className="menu-item" onClick={() => setOpen('settings')}>
            <Settings aria-hidden="true" /> {t('Space settings')}
          </Menu.Item>
        )}
        {rights.may(Permission.ChangeNickname) && (
          <Menu.Item className="menu-item" onClick={() => setOpen('nickname')}>
            <IdCard aria-hidden="true" /> {t('Change nickname')}
          </Menu.Item>
        )}
        <MoveItems spaceId={space.id} onMoved={setNotice} />
        {!rights.isOwner && (
          <Menu.Item className="menu-item menu-danger" onClick={() => setOpen('leave')}>
            <LogOut aria-hidden="true" /> {t('Leave space')}
          </Menu.Item>
        )}
      </PopupMenu>
      <p role="status" className="visually-hidden">
        {notice}
      </p>
      {open === 'invite' && room !== undefined && (
        <InviteDialog
          spaceId={space.id}
          spaceName={space.name}
          roomId={room.id}
          roomName={roomName(room)}
          onClose={close}
        />
      )}
      <Suspense>
        {open === 'room' && <CreateRoomDialog spaceId={space.id} parentId={null} onClose={close} />}
        {open === 'settings' && <SpaceSettings space={space} onClose={close} />}
        {open === 'nickname' && (
          <NicknameDialog
            space={space}
            member={space.member}
            username={me?.alias ?? me?.username ?? ''}
            onClose={close}
          />
        )}
      </Suspense>
      {open === 'notifications' && <NotificationDialog place={place} onClose={close} />}
      {open === 'leave' && <LeaveSpace space={space} onClose={close} />}
    </>
  )
}
