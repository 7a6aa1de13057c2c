import { RoomType } from '@foyer/protocol/rooms'
import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useEffect, useRef } from 'react'
import { Redirect } from 'wouter'
import { t } from '#src/language/texts.ts'
import { RoomPage } from '#src/rooms/page/room-page.tsx'
import { useAppState } from '#src/session/context.ts'
import { lastRoomId } from '#src/session/place.ts'
import { useWait, type Wait } from '#src/spaces/door/use-wait.ts'
import { firstTextRoom } from '#src/spaces/landing.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing } from './missing.tsx'
import { Shell } from './shell.tsx'

const WaitingPage = lazyComponent(() =>
  import('#src/spaces/door/waiting-page.tsx').then((module) => module.WaitingPage),
)

/** Route of `/spaces/…`: redirects to the last visited room, or the first. Without membership it may be waited for. */
export function SpaceRoute({ me, spaceId }: { me: CurrentUser; spaceId: string }) {
  const rooms = useAppState((state) => state.rooms)
  const wait = useWait(spaceId)
  const last = rooms[lastRoomId(spaceId) ?? '']
  const room = last?.space_id === spaceId ? last : firstTextRoom(rooms, spaceId)
  if (room !== undefined) return <Redirect to={`/spaces/${spaceId}/rooms/${room.id}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={null}>
      {(openDrawer) =>
        wait === null ? (
          <Missing openDrawer={openDrawer}>{t('You don’t have access to any rooms here.')}</Missing>
        ) : (
          <Waiting wait={wait} openDrawer={openDrawer} />
        )
      }
    </Shell>
  )
}

function Waiting({ wait, openDrawer }: { wait: Wait; openDrawer: (() => void) | null }) {
  return (
    <Suspense fallback={<EmptyPage />}>
      <WaitingPage wait={wait} openDrawer={openDrawer} />
    </Suspense>
  )
}

interface RoomRouteProps {
  me: CurrentUser
  spaceId: string
  roomId: string
  messageId: string | undefined
}

/** Route of `/spaces/…/rooms/…`, with an optional message. */
export function RoomRoute({ me, spaceId, roomId, messageId }: RoomRouteProps) {
  const room = useAppState((state) => state.rooms[roomId])
  const isHere = room?.space_id === spaceId
  const isIn = useAppState((state) => spaceId in state.spaces)
  const wait = useWait(spaceId)
  const seenId = useRef<string | null>(null)

  useEffect(() => {
    if (isHere) seenId.current = roomId
  }, [isHere, roomId])

  // An invite may lead to a category, which has no page.
  if (isHere && room.type === RoomType.Category) return <Redirect to={`/spaces/${spaceId}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={roomId}>
      {(openDrawer) =>
        isHere ? (
          <RoomPage room={room} messageId={messageId} openDrawer={openDrawer} />
        ) : wait !== null ? (
          <Waiting wait={wait} openDrawer={openDrawer} />
        ) : (
          <Missing key={roomId} openDrawer={openDrawer} mayArrive={seenId.current !== roomId}>
            {isIn
              ? t('This room doesn’t exist or you don’t have access.')
              : t('This space doesn’t exist or you’re no longer a member.')}
          </Missing>
        )
      }
    </Shell>
  )
}
