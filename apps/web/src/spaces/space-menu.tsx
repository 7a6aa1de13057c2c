import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { ChevronDown, IdCard, LogOut, Plus, Settings, UserPlus } from 'lucide-react'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { InviteDialog } from '#src/invites/invite-dialog.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { roomName } from '#src/rooms/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { lazyComponent } from '#src/ui/lazy.tsx'
import '#src/ui/menu.css'
import { inviteRoom } from './landing.ts'
import { LeaveSpace } from './leave-space.tsx'
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

interface SpaceMenuProps {
  space: SpaceEntry
  currentRoomId: string | null
}

/** The space's name, and behind it what one can do with the space. */
export function SpaceMenu({ space, currentRoomId }: SpaceMenuProps) {
  const me = useAppState((state) => state.me)
  const rooms = useAppState((state) => state.rooms)
  const rights = usePermissions(space.id)
  const room = useMemo(() => inviteRoom(rooms, space, currentRoomId), [rooms, space, currentRoomId])
  const [open, setOpen] = useState<'invite' | 'room' | 'settings' | 'nickname' | 'leave' | null>(null)
  const close = useCallback(() => setOpen(null), [])
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="space-menu-trigger" aria-label={`${space.name}, space menu`}>
          <span className="space-name">{space.name}</span>
          <ChevronDown aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="floating" sideOffset={4} align="start">
            <Menu.Popup className="menu">
              <p className="menu-note">
                {space.member_count === 1 ? '1 member' : `${space.member_count} members`}
                {rights.isOwner && ' · yours'}
              </p>
              {room !== undefined && (
                <Menu.Item className="menu-item" onClick={() => setOpen('invite')}>
                  <UserPlus aria-hidden="true" /> Invite people
                </Menu.Item>
              )}
              {rights.may(Permission.ManageChannels) && (
                <Menu.Item className="menu-item" onClick={() => setOpen('room')}>
                  <Plus aria-hidden="true" /> Create room
                </Menu.Item>
              )}
              {hasSettings(rights) && (
                <Menu.Item className="menu-item" onClick={() => setOpen('settings')}>
                  <Settings aria-hidden="true" /> Space settings
                </Menu.Item>
              )}
              {rights.may(Permission.ChangeNickname) && (
                <Menu.Item className="menu-item" onClick={() => setOpen('nickname')}>
                  <IdCard aria-hidden="true" /> Change nickname
                </Menu.Item>
              )}
              {!rights.isOwner && (
                <Menu.Item className="menu-item menu-danger" onClick={() => setOpen('leave')}>
                  <LogOut aria-hidden="true" /> Leave space
                </Menu.Item>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
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
      {open === 'leave' && <LeaveSpace space={space} onClose={close} />}
    </>
  )
}
