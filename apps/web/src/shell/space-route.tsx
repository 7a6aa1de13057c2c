import { RoomType } from '@foyer/protocol/rooms'
import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useEffect, useRef } from 'react'
import { Redirect } from 'wouter'
import { t } from '#src/language/texts.ts'
import { RoomPage } from '#src/rooms/page/room-page.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { lastRoomId } from '#src/session/place.ts'
import type { Session } from '#src/session/session.ts'
import { firstTextRoom } from '#src/spaces/landing.ts'
import { roomOf } from '#src/store/channels.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing } from './missing.tsx'
import { Shell } from './shell.tsx'

const ThreadPage = lazyComponent(() =>
  import('#src/thread-rooms/page/thread-page.tsx').then((module) => module.ThreadPage),
)
const OutsidePage = lazyComponent(() => import('./outside-page.tsx').then((module) => module.OutsidePage))

/** Route of `/spaces/…`: redirects to the last visited room, or the first. Without membership, the user may be waiting for it. */
export function SpaceRoute({ me, spaceId }: { me: CurrentUser; spaceId: string }) {
  const rooms = useAppState((state) => state.rooms)
  const isIn = useAppState((state) => spaceId in state.spaces)
  const last = rooms[lastRoomId(spaceId) ?? '']
  const room = last?.space_id === spaceId ? last : firstTextRoom(rooms, spaceId)
  if (room !== undefined) return <Redirect to={`/spaces/${spaceId}/rooms/${room.id}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={null}>
      {(openDrawer) =>
        isIn ? (
          <Missing openDrawer={openDrawer}>{t('You don’t have access to any rooms here.')}</Missing>
        ) : (
          <Outside spaceId={spaceId} openDrawer={openDrawer} />
        )
      }
    </Shell>
  )
}

interface OutsideProps {
  spaceId: string
  name?: string | undefined
  openDrawer: (() => void) | null
}

/** The user is not a member of the space, or not yet. */
function Outside(props: OutsideProps) {
  return (
    <Suspense fallback={<EmptyPage />}>
      <OutsidePage key={props.spaceId} {...props} />
    </Suspense>
  )
}

interface RoomRouteProps {
  me: CurrentUser
  spaceId: string
  roomId: string
  messageId: string | undefined
}

/** Route of `/spaces/…/rooms/…`, with an optional message. A thread has the address of a room. */
export function RoomRoute({ me, spaceId, roomId, messageId }: RoomRouteProps) {
  const room = useAppState((state) => roomOf(state, roomId))
  const thread = useAppState((state) => state.threads[roomId])
  const isHere = room?.space_id === spaceId
  const name = useAppState((state) => state.spaces[spaceId]?.name)
  const seenId = useRef<string | null>(null)
  const seenName = useRef(name)

  useEffect(() => {
    if (isHere) seenId.current = roomId
    if (name !== undefined) seenName.current = name
  }, [isHere, roomId, name])

  useThread(!isHere && name !== undefined && seenId.current !== roomId ? roomId : null)

  // An invite may name a category, which has no page.
  if (isHere && room.type === RoomType.Category) return <Redirect to={`/spaces/${spaceId}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={roomId}>
      {(openDrawer) =>
        isHere && thread !== undefined ? (
          <Suspense fallback={<EmptyPage />}>
            <ThreadPage entry={thread} messageId={messageId} openDrawer={openDrawer} />
          </Suspense>
        ) : isHere ? (
          <RoomPage room={room} messageId={messageId} openDrawer={openDrawer} />
        ) : name === undefined ? (
          <Outside
            spaceId={spaceId}
            name={seenId.current === roomId ? seenName.current : undefined}
            openDrawer={openDrawer}
          />
        ) : (
          <Missing key={roomId} openDrawer={openDrawer} mayArrive={seenId.current !== roomId}>
            {t('This room doesn’t exist or you don’t have access.')}
          </Missing>
        )
      }
    </Shell>
  )
}

/** Requests the thread that an unknown id may belong to. */
function useThread(id: string | null): void {
  const session = useSession()
  useEffect(() => {
    if (id === null) return
    const request = new AbortController()
    void loadThread(session, id, request.signal)
    return () => request.abort()
  }, [session, id])
}

async function loadThread(session: Session, id: string, signal: AbortSignal): Promise<void> {
  try {
    const loading = await import('#src/thread-rooms/in-use/loading.ts')
    await loading.loadOpened(session, id, signal)
  } catch {
    // The page shows that it does not exist.
  }
}
