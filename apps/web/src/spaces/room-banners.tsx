import { hasModeration } from '@foyer/protocol/rights'
import { Suspense } from 'react'
import { useIsFrozen, usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { DoorBanner } from './door/door-banner.tsx'
import { FrozenBanner } from './frozen-banner.tsx'
import { UndecidedBanner } from './undecided/undecided-banner.tsx'

const SecondFactorBanner = lazyComponent(() =>
  import('./second-factor-banner.tsx').then((module) => module.SecondFactorBanner),
)

/** Banners about the space above the messages of each room, mostly for moderators. */
export function RoomBanners({ spaceId, roomId }: { spaceId: string; roomId: string }) {
  const isFrozen = useIsFrozen(spaceId)
  const rights = usePermissions(spaceId)
  const asksModerators = useAppState((state) => state.spaces[spaceId]?.needs_second_factor ?? false)
  return (
    <>
      {isFrozen && <FrozenBanner />}
      {asksModerators && hasModeration(rights.flags) && (
        <Suspense>
          <SecondFactorBanner />
        </Suspense>
      )}
      {rights.may('KickMembers') && <DoorBanner spaceId={spaceId} roomId={roomId} />}
      {(rights.may('ManageReports') || rights.may('BanMembers')) && (
        <UndecidedBanner spaceId={spaceId} roomId={roomId} />
      )}
    </>
  )
}
