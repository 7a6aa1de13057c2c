import type { RefObject } from 'react'

type Place = RefObject<HTMLElement | null>

/** Where the focus goes when what stood over the page closes: back to a place, unless it has gone on to another by itself. */
export function backTo(place: Place, popup: Place): HTMLElement | null | false {
  const { activeElement, body } = document
  const isFree = activeElement === body || popup.current?.contains(activeElement) === true
  return isFree && place.current
}
