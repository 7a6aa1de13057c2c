import type { CurrentUser } from '@foyer/protocol/users'
import { AccountPopover } from '#src/account/account-popover.tsx'
import { Banner } from '#src/images/banner.tsx'
import { RoomList } from '#src/rooms/room-list.tsx'
import { useAppState } from '#src/session/context.ts'
import { SpaceMenu } from '#src/spaces/space-menu.tsx'
import { SpaceRail } from '#src/spaces/space-rail.tsx'
import { HomeNav } from './home-nav.tsx'

interface SidebarProps {
  me: CurrentUser
  spaceId: string | null
  roomId: string | null
  openSettings: () => void
}

export function Sidebar({ me, spaceId, roomId, openSettings }: SidebarProps) {
  const space = useAppState((state) => (spaceId === null ? undefined : state.spaces[spaceId]))
  return (
    <div className="sidebar">
      <SpaceRail currentSpaceId={space?.id ?? null} />
      <div className="sidebar-panel">
        <Banner id={space?.banner ?? null} className="sidebar-banner" />
        <header className="sidebar-header">
          {space === undefined ? (
            <p className="sidebar-title">Foyer</p>
          ) : (
            <SpaceMenu space={space} currentRoomId={roomId} />
          )}
        </header>
        {space === undefined ? <HomeNav /> : <RoomList spaceId={space.id} currentRoomId={roomId} />}
        <AccountPopover me={me} openSettings={openSettings} />
      </div>
    </div>
  )
}
