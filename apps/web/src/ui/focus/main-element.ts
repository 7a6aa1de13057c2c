import type { RefObject } from 'react'

/** The main element, which gets the focus when nothing closer is left. */
export const mainElement: RefObject<HTMLElement | null> = {
  get current() {
    return document.querySelector<HTMLElement>('#main')
  },
}
