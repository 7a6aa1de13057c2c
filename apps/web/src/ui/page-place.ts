import type { RefObject } from 'react'

/** The page itself, where the focus goes when all that was around it is gone. */
export const pagePlace: RefObject<HTMLElement | null> = {
  get current() {
    return document.querySelector<HTMLElement>('#main')
  },
}
