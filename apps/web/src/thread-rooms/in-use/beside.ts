import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useSyncExternalStore } from 'react'
import { useAppState } from '#src/session/context.ts'
import type { State, ThreadEntry } from '#src/store/state.ts'
import { useMediaQuery, VERY_WIDE } from '#src/ui/use-media-query.ts'

/** Storage key, set if the user of this browser wants threads as whole pages instead of beside their room. */
export const WHOLE = 'foyer.whole-threads'

/** True if the window is wide enough for threads beside their room, and the user wants them there. */
export function useIsBeside(): boolean {
  const isWhole = useSyncExternalStore(onChoice, () => window.localStorage.getItem(WHOLE) !== null)
  return useMediaQuery(VERY_WIDE) && !isWhole
}

/** Returns the text room of a thread. Posts of forums have none: they are always whole pages. */
export function textRoomOf(
  { rooms }: Pick<State, 'rooms'>,
  thread: Pick<ThreadEntry, 'parent_id'> | undefined,
): Room | undefined {
  const room = rooms[thread?.parent_id ?? '']
  return room?.type === RoomType.Text ? room : undefined
}

/** Returns the id of the shown room: the text room if `id` is a thread shown beside it, else `id` itself. */
export function useShownRoomId(id: string): string {
  const isBeside = useIsBeside()
  return useAppState((state) => (isBeside && textRoomOf(state, state.threads[id])?.id) || id)
}

function onChoice(listener: () => void): () => void {
  window.addEventListener(WHOLE, listener)
  return () => window.removeEventListener(WHOLE, listener)
}
