import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { ChevronDown, LogOut, UserPlus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { InviteDialog } from '#src/invites/invite-dialog.tsx'
import { mayInSpace } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import '#src/ui/menu.css'
import { inviteRoom } from './landing.ts'
import { LeaveSpace } from './leave-space.tsx'

interface SpaceMenuProps {
  space: SpaceEntry
  currentRoomId: string | null
}

/** The space's name, and behind it what one can do with the space. */
export function SpaceMenu({ space, currentRoomId }: SpaceMenuProps) {
  const myId = useAppState((state) => state.me?.id)
  const rooms = useAppState((state) => state.rooms)
  const mayInvite = useAppState((state) => mayInSpace(state, space.id, Permission.CreateInvites))
  const room = useMemo(() => inviteRoom(rooms, space.id, currentRoomId), [rooms, space.id, currentRoomId])
  const [open, setOpen] = useState<'invite' | 'leave' | null>(null)
  const isOwner = space.owner_id === myId
  const close = () => setOpen(null)
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
                {isOwner && ' · yours'}
              </p>
              {mayInvite && room !== undefined && (
                <Menu.Item className="menu-item" onClick={() => setOpen('invite')}>
                  <UserPlus aria-hidden="true" /> Invite people
                </Menu.Item>
              )}
              {!isOwner && (
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
          roomName={room.name}
          onClose={close}
        />
      )}
      {open === 'leave' && <LeaveSpace space={space} onClose={close} />}
    </>
  )
}
