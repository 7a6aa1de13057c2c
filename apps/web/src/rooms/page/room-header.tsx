import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Menu, Settings, UserPlus, Users } from 'lucide-react'
import { Fragment, Suspense, useCallback, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import type { SearchBeside } from '#src/channels/pane/use-beside.ts'
import { t } from '#src/language/texts.ts'
import { PinsButton } from '#src/messages/pins/pins-button.tsx'
import { NotificationButton } from '#src/notifications/notification-button.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { SearchButtons } from '#src/search/search-buttons.tsx'
import { useAppState } from '#src/session/context.ts'
import { ThreadsButton } from '#src/thread-rooms/panel/threads-button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { roomName } from '../names/room-name.ts'
import { notificationTarget } from '../notification-target.ts'
import { RoomTitle } from './room-title.tsx'
import { useRoomChannel } from './use-room-channel.ts'

const InviteDialog = lazyPopup(() =>
  import('#src/spaces/invites/invite-dialog.tsx').then((module) => module.InviteDialog),
)
const KindButtons = lazyPopup(() => import('./kind-buttons.tsx').then((module) => module.KindButtons))
const RoomSettings = lazyComponent(() =>
  import('../settings/room-settings.tsx').then((module) => module.RoomSettings),
)

interface RoomHeaderProps {
  room: Room
  openDrawer: (() => void) | null
  search: SearchBeside
  showsMembers: boolean
  onToggleMembers: () => void
}

export function RoomHeader(props: RoomHeaderProps) {
  const { room, openDrawer, search, showsMembers, onToggleMembers } = props
  const channel = useRoomChannel(room)
  return (
    <header className="page-header">
      {openDrawer !== null && (
        <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
      )}
      <RoomTitle key={`title of ${room.id}`} room={room} channel={channel} isNarrow={openDrawer !== null} />
      {room.type === RoomType.Text && (
        <Fragment key={`lists of ${room.id}`}>
          <ThreadsButton channel={channel} />
          <PinsButton channel={channel} />
        </Fragment>
      )}
      {(room.type === RoomType.Voice || room.announces) && (
        <KindButtons key={room.id} room={room} channel={channel} />
      )}
      <SearchButtons channel={channel} {...search} />
      <RoomTools key={`tools of ${room.id}`} room={room} channel={channel} />
      <IconButton
        label={showsMembers ? t('Hide members') : t('Show members')}
        icon={<Users />}
        aria-pressed={showsMembers}
        onClick={onToggleMembers}
      />
    </header>
  )
}

/** Buttons that open dialogs about the room. */
function RoomTools({ room, channel }: { room: Room; channel: OpenChannel }) {
  const space = useAppState((state) => state.spaces[room.space_id])
  const ofSpace = usePermissions(room.space_id)
  const mayInvite = channel.may(Permission.CreateInvites)
  // The settings of the room also contain its webhooks.
  const mayManage = channel.may(Permission.ManageChannels) || ofSpace.may(Permission.ManageSpaceWebhooks)
  const [inviting, setInviting] = useState(false)
  const [setting, setSetting] = useState(false)
  const closeSettings = useCallback(() => setSetting(false), [])
  return (
    <>
      <NotificationButton target={notificationTarget(room)} />
      {mayInvite && (
        <IconButton
          label={t('Invite people')}
          icon={<UserPlus />}
          className="header-spare"
          onClick={() => setInviting(true)}
        />
      )}
      {mayManage && (
        <IconButton
          label={t('Room settings')}
          icon={<Settings />}
          className="header-extra"
          onClick={() => setSetting(true)}
        />
      )}
      {inviting && (
        <InviteDialog
          spaceId={room.space_id}
          spaceName={space?.name ?? ''}
          roomId={room.id}
          roomName={roomName(room)}
          onClose={() => setInviting(false)}
        />
      )}
      <Suspense>
        {setting && space !== undefined && <RoomSettings space={space} room={room} onClose={closeSettings} />}
      </Suspense>
    </>
  )
}
