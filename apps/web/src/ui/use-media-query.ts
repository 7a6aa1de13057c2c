import { useSyncExternalStore } from 'react'

/** Made once: they are asked at every drawing. */
const lists = new Map<string, MediaQueryList>()

/** Whether the media query holds now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = listOf(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => listOf(query).matches,
  )
}

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query)
  lists.set(query, list)
  return list
}

/** Beside each other: spaces, rooms and messages. Below it spaces and rooms are in a drawer. */
export const WIDE = '(min-width: 50rem)'
/** Room for the members beside the messages too. */
export const VERY_WIDE = '(min-width: 68rem)'
/** Room for the messages and one panel beside them, and not for two. */
export const ONE_PANEL = '(min-width: 68rem) and (max-width: 99.99rem)'
/** Small phones, on which a line holds a few words. */
export const NARROW = '(max-width: 24rem)'
