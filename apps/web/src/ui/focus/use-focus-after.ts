import { createContext, type RefObject, useContext, useEffect } from 'react'
import { isTouch } from '../is-touch.ts'
import { mainElement } from './main-element.ts'

/** Focus target provided by the surrounding part, such as a settings section, for when nothing closer is left. */
export const FocusFallback = createContext<RefObject<HTMLElement | null>>(mainElement)

interface Dialog {
  /** State of a dialog that stays mounted when closed. Omitted for dialogs that are open as long as they are mounted. */
  readonly open?: boolean
  /** The closing popup, which keeps the focus while it fades out. */
  readonly popup?: RefObject<HTMLElement | null>
}

/**
 * Moves the focus when a dialog closes and its opening element was removed: to the first target that still exists, unless
 * the focus has already moved elsewhere. Works even if a deletion removes the dialog itself, because the event of the
 * deletion arrives before the response.
 */
export function useFocusAfter(
  place: RefObject<Element | null> | undefined,
  { open = true, popup }: Dialog = {},
): void {
  const around = useContext(FocusFallback)
  useEffect(() => {
    if (!open) return
    return () => {
      // Waits two frames, because a surrounding dialog moves the focus one frame later.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const { activeElement } = document
          const to = [place, around, mainElement].find((each) => each?.current?.isConnected)?.current
          // The focus is lost if it fell back to the page or dialog around the target, or stayed in the closed popup.
          const isLost = activeElement?.contains(to ?? null) || popup?.current?.contains(activeElement)
          if (isLost && !isTouch() && to instanceof HTMLElement) to.focus()
        }),
      )
    }
  }, [open, popup, place, around])
}
