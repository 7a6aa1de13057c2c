import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'
import { useReserved } from './reserved-rows.ts'
import './threads-below.css'

const RoomThreads = lazyAside(() => import('./room-threads.tsx').then((module) => module.RoomThreads))

interface ThreadsBelowProps {
  roomId: string
  /** True if threads of the room are loaded. */
  hasThreads: boolean
}

/** The threads in use of a room, below it in the list of rooms. Reserves rows for them until they are loaded. */
export function ThreadsBelow({ roomId, hasThreads }: ThreadsBelowProps) {
  const reserved = useReserved(roomId)
  if (!hasThreads && reserved === 0) return null
  return (
    <div className="threads-below" style={{ '--rows': reserved }}>
      <RoomThreads roomId={roomId} />
    </div>
  )
}
