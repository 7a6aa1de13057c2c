import { useIsFrozen, usePermissions } from '#src/permissions/use-permissions.ts'
import { DoorBanner } from './door/door-banner.tsx'
import { FrozenBanner } from './frozen-banner.tsx'
import { UndecidedBanner } from './undecided/undecided-banner.tsx'

/** Signs about the space above the messages of each room, most of them for moderators. */
export function RoomBanners({ spaceId, roomId }: { spaceId: string; roomId: string }) {
  const isFrozen = useIsFrozen(spaceId)
  const rights = usePermissions(spaceId)
  return (
    <>
      {isFrozen && <FrozenBanner />}
      {rights.may('KickMembers') && <DoorBanner spaceId={spaceId} roomId={roomId} />}
      {(rights.may('ManageReports') || rights.may('BanMembers')) && (
        <UndecidedBanner spaceId={spaceId} roomId={roomId} />
      )}
    </>
  )
}
