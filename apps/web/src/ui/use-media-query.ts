import { useSyncExternalStore } from 'react'

/** Whether the media query holds now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
  )
}

/** Beside each other: spaces, rooms and messages. Below it spaces and rooms are in a drawer. */
export const WIDE = '(min-width: 50rem)'
/** Room for the members beside the messages too. */
export const VERY_WIDE = '(min-width: 68rem)'
/** Room for the messages and one panel beside them, and not for two. */
export const ONE_PANEL = '(min-width: 68rem) and (max-width: 99.99rem)'
/** Small phones, on which a line holds a few words. */
export const NARROW = '(max-width: 24rem)'
