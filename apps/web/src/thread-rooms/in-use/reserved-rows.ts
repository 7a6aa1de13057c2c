import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { THREADS_KEY } from '#src/session/place.ts'

/** Numbers of threads by room, as they were listed when the page was last open, until the followed threads are loaded. */
export const reservedRows = createStore(
  () => new URLSearchParams(window.localStorage.getItem(THREADS_KEY) ?? ''),
)

/** Returns the number of rows to reserve below a room, so that the rooms below it do not move. */
export function useReserved(roomId: string): number {
  return useStore(reservedRows, (rows) => Number(rows.get(roomId)))
}
