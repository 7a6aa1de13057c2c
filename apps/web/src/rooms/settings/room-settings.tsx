import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { IdCard, ShieldCheck, UserSearch } from 'lucide-react'
import { useEffect } from 'react'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import '#src/spaces/settings/settings.css'
import type { SpaceEntry } from '#src/store/state.ts'
import { SettingsDialog, type SettingsSection } from '#src/ui/settings-dialog.tsx'
import { roomName } from '../room-name.ts'
import { CheckSection } from './check/check-section.tsx'
import { OverviewSection } from './overview/overview-section.tsx'
import { PermissionsSection } from './permissions/permissions-section.tsx'

interface RoomSettingsProps {
  space: SpaceEntry
  room: Room
  onClose: () => void
}

/** All that one may set about a room, for who manages it. It closes by itself when that is no longer so. */
export function RoomSettings({ space, room, onClose }: RoomSettingsProps) {
  const mayManage = useRoomPermissions(room.id).may(Permission.ManageChannels)

  useEffect(() => {
    if (!mayManage) onClose()
  }, [mayManage, onClose])

  if (!mayManage) return null
  return (
    <SettingsDialog open onOpenChange={onClose} title={roomName(room)} sections={sectionsOf(space, room)} />
  )
}

function sectionsOf(space: SpaceEntry, room: Room): SettingsSection[] {
  return [
    {
      id: 'overview',
      label: 'Overview',
      icon: <IdCard aria-hidden="true" />,
      content: <OverviewSection room={room} />,
    },
    {
      id: 'permissions',
      label: 'Permissions',
      icon: <ShieldCheck aria-hidden="true" />,
      content: <PermissionsSection space={space} room={room} />,
    },
    {
      id: 'check',
      label: 'Check a member',
      icon: <UserSearch aria-hidden="true" />,
      content: <CheckSection space={space} room={room} />,
    },
  ]
}
