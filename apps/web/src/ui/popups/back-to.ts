import type { RefObject } from 'react'

type Place = RefObject<HTMLElement | null>

/** Returns the focus target for a closing popup: the given element, unless the focus has already moved elsewhere. */
export function backTo(place: Place, popup: Place): HTMLElement | null | false {
  const { activeElement, body } = document
  const isFree = activeElement === body || popup.current?.contains(activeElement) === true
  return isFree && place.current
}
