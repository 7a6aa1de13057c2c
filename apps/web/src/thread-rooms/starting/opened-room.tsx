import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'
import { noteOpened } from './starters.ts'

/** Notes that a room is open, so that its threads are loaded. Renders nothing. */
export function OpenedRoom({ roomId }: { roomId: string }) {
  const session = useSession()
  useEffect(() => noteOpened(session, roomId), [session, roomId])
  return null
}
