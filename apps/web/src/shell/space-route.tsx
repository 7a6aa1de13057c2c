import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useEffect, useRef } from 'react'
import { Redirect } from 'wouter'
import { t } from '#src/language/texts.ts'
import { RoomPage, type ThreadBesideRoom } from '#src/rooms/page/room-page.tsx'
import { useAppState } from '#src/session/context.ts'
import { lastRoomId } from '#src/session/place.ts'
import { firstTextRoom } from '#src/spaces/landing.ts'
import { roomOf } from '#src/store/channels.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing } from './missing.tsx'
import { Shell } from './shell.tsx'
import { type Beside, useMerge, useThread, useThreadBeside } from './thread-route.ts'

const ThreadView = lazyComponent(() =>
  import('#src/thread-rooms/page/thread-view.tsx').then((module) => module.ThreadView),
)
const OutsidePage = lazyComponent(() => import('./outside-page.tsx').then((module) => module.OutsidePage))

/**
 * Route of `/spaces/…`: redirects to the last visited room, or the first. Users who are not members may be waiting at the space's
 * door.
 */
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

/** Shown to users who are not members of the space, or not yet. */
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

/** Route of `/spaces/…/rooms/…`, with an optional message. A thread has an address of this form, too, even beside its room. */
export function RoomRoute({ me, spaceId, roomId, messageId }: RoomRouteProps) {
  const open = useAppState((state) => roomOf(state, roomId))
  const thread = useAppState((state) => state.threads[roomId])
  const isHere = open?.space_id === spaceId
  const name = useAppState((state) => state.spaces[spaceId]?.name)
  const seenId = useRef<string | null>(null)
  const seenName = useRef(name)

  useEffect(() => {
    if (isHere) seenId.current = roomId
    if (name !== undefined) seenName.current = name
  }, [isHere, roomId, name])

  const isAwaited = useThread(!isHere && name !== undefined && seenId.current !== roomId ? roomId : null)
  const beside = useThreadBeside(roomId, messageId)
  useMerge(roomId)
  const shown = useRef<Room>(undefined)
  const room = beside?.room ?? (isHere && thread === undefined ? open : isAwaited ? shown.current : undefined)
  shown.current = room

  // An invite may name a category, which has no page.
  if (isHere && open.type === RoomType.Category) return <Redirect to={`/spaces/${spaceId}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={roomId}>
      {(openDrawer) =>
        room?.space_id === spaceId ? (
          <RoomPage
            room={room}
            messageId={room.id === roomId ? messageId : undefined}
            thread={beside && besideRoom(beside, messageId)}
            openDrawer={openDrawer}
          />
        ) : isHere && thread !== undefined ? (
          <Suspense fallback={<EmptyPage />}>
            <ThreadView entry={thread} messageId={messageId} openDrawer={openDrawer} />
          </Suspense>
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

function besideRoom({ thread, isInRoom, isGone }: Beside, messageId: string | undefined): ThreadBesideRoom {
  return {
    name: thread.name,
    path: `/spaces/${thread.space_id}/rooms/${thread.id}`,
    panel: (
      <Suspense>
        <ThreadView
          key={thread.id}
          entry={thread}
          messageId={isInRoom ? undefined : messageId}
          isGone={isGone}
        />
      </Suspense>
    ),
  }
}
