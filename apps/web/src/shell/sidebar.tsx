import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense } from 'react'
import { AccountPopover } from '#src/account/account-popover.tsx'
import { Banner } from '#src/images/banner.tsx'
import { RoomList } from '#src/rooms/list/room-list.tsx'
import { useAppState } from '#src/session/context.ts'
import { SpaceMenu } from '#src/spaces/space-menu.tsx'
import { SpaceRail } from '#src/spaces/space-rail.tsx'
import { ownerRoomOf } from '#src/store/channels.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { VoicePanel } from './voice-parts.tsx'

const HomeNav = lazyComponent(() => import('./home-nav.tsx').then((module) => module.HomeNav))

interface SidebarProps {
  me: CurrentUser
  spaceId: string | null
  /** The open room or thread. */
  roomId: string | null
}

export function Sidebar({ me, spaceId, roomId }: SidebarProps) {
  const space = useAppState((state) => (spaceId === null ? undefined : state.spaces[spaceId]))
  const isWaiting = useAppState((state) => spaceId !== null && spaceId in state.waitingSpaces)
  const ownerId = useAppState((state) => ownerRoomOf(state, roomId ?? ''))
  return (
    <div className="sidebar">
      <SpaceRail currentSpaceId={isWaiting ? spaceId : (space?.id ?? null)} />
      <div className="sidebar-panel">
        <Banner id={space?.banner ?? null} className="sidebar-banner" />
        <header className="sidebar-header">
          {space === undefined ? (
            <p className="sidebar-title">Foyer</p>
          ) : (
            <SpaceMenu space={space} currentRoomId={ownerId} />
          )}
        </header>
        {space === undefined ? (
          <Suspense fallback={<div className="room-list" aria-busy="true" />}>
            <HomeNav />
          </Suspense>
        ) : (
          <RoomList key={space.id} spaceId={space.id} openId={roomId} currentRoomId={ownerId} />
        )}
        <VoicePanel />
        <AccountPopover me={me} />
      </div>
    </div>
  )
}
