import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Globe, IdCard, MessagesSquare, ShieldCheck, UserSearch, Webhook } from 'lucide-react'
import { useEffect } from 'react'
import { ForumSection } from '#src/forums/settings/forum-section.tsx'
import { t } from '#src/language/texts.ts'
import { usePermissions, useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/spaces/settings/settings.css'
import type { SpaceEntry } from '#src/store/state.ts'
import { SettingsDialog, type SettingsSection } from '#src/ui/dialogs/settings-dialog.tsx'
import { WebhooksSection } from '#src/webhooks/webhooks-section.tsx'
import { roomName } from '../names/room-name.ts'
import { CheckSection } from './check/check-section.tsx'
import { OnWebSection } from './on-web/on-web-section.tsx'
import { OverviewSection } from './overview/overview-section.tsx'
import { PermissionsSection } from './permissions/permissions-section.tsx'

interface RoomSettingsProps {
  space: SpaceEntry
  room: Room
  onClose: () => void
}

/** The settings of a room that the user may change. Closes by itself once there are none left. */
export function RoomSettings({ space, room, onClose }: RoomSettingsProps) {
  const rights = useRoomPermissions(room.id)
  const ofSpace = usePermissions(space.id)
  const isOwner = useAppState(({ me }) => me?.id === space.owner_id)
  const sections = [
    ...(rights.may(Permission.ManageChannels) ? sectionsOf(space, room) : []),
    ...(isOwner && isReadable(room) ? [onWebOf(room)] : []),
    ...(isPostable(room) && ofSpace.may(Permission.ManageSpaceWebhooks) ? [webhooksOf(space, room)] : []),
  ]
  const isEmpty = sections.length === 0

  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])

  if (isEmpty) return null
  return <SettingsDialog open onOpenChange={onClose} title={roomName(room)} sections={sections} />
}

function isPostable({ type }: Room): boolean {
  return type !== RoomType.Category
}

function isReadable({ type }: Room): boolean {
  return type === RoomType.Text || type === RoomType.Forum
}

function onWebOf(room: Room): SettingsSection {
  return {
    id: 'on-web',
    label: t('On the web'),
    icon: <Globe aria-hidden="true" />,
    content: <OnWebSection room={room} />,
  }
}

function webhooksOf(space: SpaceEntry, room: Room): SettingsSection {
  return {
    id: 'webhooks',
    label: t('Webhooks'),
    icon: <Webhook aria-hidden="true" />,
    content: <WebhooksSection space={space} room={room} />,
  }
}

function sectionsOf(space: SpaceEntry, room: Room): SettingsSection[] {
  return [
    {
      id: 'overview',
      label: t('Overview'),
      icon: <IdCard aria-hidden="true" />,
      content: <OverviewSection room={room} />,
    },
    ...forumSectionsOf(room),
    {
      id: 'permissions',
      label: t('Permissions'),
      icon: <ShieldCheck aria-hidden="true" />,
      content: <PermissionsSection space={space} room={room} />,
    },
    {
      id: 'check',
      label: t('Check access'),
      icon: <UserSearch aria-hidden="true" />,
      content: <CheckSection space={space} room={room} />,
    },
  ]
}

function forumSectionsOf(room: Room): SettingsSection[] {
  if (room.forum === undefined) return []
  return [
    {
      id: 'forum',
      label: t('Posts'),
      icon: <MessagesSquare aria-hidden="true" />,
      content: <ForumSection room={room} forum={room.forum} />,
    },
  ]
}
