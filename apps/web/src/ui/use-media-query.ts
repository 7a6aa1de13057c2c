import { useSyncExternalStore } from 'react'

/** Query lists, created once per query because every render reads them. */
const lists = new Map<string, MediaQueryList>()

/** True while the media query matches. */
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

/** Width from which spaces, rooms and messages fit side by side. Below it, spaces and rooms are in a drawer. */
export const WIDE = '(min-width: 50rem)'
/** Width from which the members also fit beside the messages. */
export const VERY_WIDE = '(min-width: 68rem)'
/** Widths at which one panel fits next to the messages, but not two. */
export const ONE_PANEL = '(min-width: 68rem) and (max-width: 99.99rem)'
/** Small phones that fit only a few words per line. */
export const NARROW = '(max-width: 24rem)'
