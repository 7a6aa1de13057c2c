import { RoomType } from '@foyer/protocol/rooms'
import type { CurrentUser } from '@foyer/protocol/users'
import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, Redirect } from 'wouter'
import { RoomPage } from '#src/rooms/room-page.tsx'
import { useAppState } from '#src/session/context.ts'
import { lastRoomId } from '#src/session/place.ts'
import { firstTextRoom } from '#src/spaces/landing.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Shell } from './shell.tsx'

/** `/spaces/…`: the room of last time, or the first. */
export function SpaceRoute({ me, spaceId }: { me: CurrentUser; spaceId: string }) {
  const rooms = useAppState((state) => state.rooms)
  const last = rooms[lastRoomId(spaceId) ?? '']
  const room = last?.space_id === spaceId ? last : firstTextRoom(rooms, spaceId)
  if (room !== undefined) return <Redirect to={`/spaces/${spaceId}/rooms/${room.id}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={null}>
      {(openDrawer) => <Missing openDrawer={openDrawer}>There is no room here that you can open.</Missing>}
    </Shell>
  )
}

/** `/spaces/…/rooms/…` */
export function RoomRoute({ me, spaceId, roomId }: { me: CurrentUser; spaceId: string; roomId: string }) {
  const room = useAppState((state) => state.rooms[roomId])
  const isHere = room?.space_id === spaceId
  const isIn = useAppState((state) => spaceId in state.spaces)
  const seenId = useRef<string | null>(null)

  useEffect(() => {
    if (isHere) seenId.current = roomId
  }, [isHere, roomId])

  // An invitation may lead to a category, which is nothing to be in.
  if (isHere && room.type === RoomType.Category) return <Redirect to={`/spaces/${spaceId}`} replace />
  return (
    <Shell me={me} spaceId={spaceId} roomId={roomId}>
      {(openDrawer) =>
        isHere ? (
          <RoomPage room={room} openDrawer={openDrawer} />
        ) : (
          <Missing key={roomId} openDrawer={openDrawer} mayCome={seenId.current !== roomId}>
            {isIn
              ? 'This room is gone, or you have no access to it.'
              : 'You are not in this space any more, or it was deleted.'}
          </Missing>
        )
      }
    </Shell>
  )
}

/** Who has just joined comes here before the gateway has told of the space. */
const PATIENCE_MS = 2500

interface MissingProps {
  openDrawer: (() => void) | null
  /** Whether it was not there before, and is maybe told of in a moment. */
  mayCome?: boolean
  children: ReactNode
}

function Missing({ openDrawer, mayCome = true, children }: MissingProps) {
  const [patient, setPatient] = useState(mayCome)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <section className="page">
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label="Open spaces and rooms" icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="pane-note" role="status">
        {patient ? (
          <p>Opening…</p>
        ) : (
          <>
            <h2>{children}</h2>
            <p>
              <Link href="/home">Go home</Link>
            </p>
          </>
        )}
      </div>
    </section>
  )
}
