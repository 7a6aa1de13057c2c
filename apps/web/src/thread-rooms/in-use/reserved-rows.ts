import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { MAX_LISTED, THREADS_KEY } from '#src/session/place.ts'

/**
 * Numbers of threads listed below each room when the page was last open, by room id. Empty once the followed threads are
 * loaded.
 */
export const reservedRows = createStore(
  () => new URLSearchParams(window.localStorage.getItem(THREADS_KEY) ?? ''),
)

/** Returns the number of rows to reserve below a room, so that the rooms below it do not move. */
export function useReserved(roomId: string): number {
  return useStore(reservedRows, (rows) => Math.min(Number(rows.get(roomId)) || 0, MAX_LISTED))
}
