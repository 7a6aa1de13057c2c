import { type RefObject, useEffect } from 'react'

/** Distance kept between the current item and the edge: about one row, to show that the list continues. */
const MARGIN_PX = 40

/**
 * Scrolls the surrounding `nav` to the current item whenever it changes. A fully visible item does not move, because
 * the pointer may be on it.
 * @param wanted selector of the current item
 */
export function useInSight(
  list: RefObject<HTMLElement | null>,
  currentId: string | null,
  wanted = '[aria-current]',
): void {
  useEffect(() => {
    const current = currentId === null ? null : list.current?.querySelector(wanted)
    const nav = current?.closest('nav')
    if (!current || !nav) return
    const [row, view] = [current.getBoundingClientRect(), nav.getBoundingClientRect()]
    const above = row.top - view.top
    const below = row.bottom - view.bottom
    // Not `scrollIntoView`, which also scrolls ancestors, such as a drawer sliding in.
    if (above < 0) nav.scrollTop += above - MARGIN_PX
    else if (below > 0) nav.scrollTop += below + MARGIN_PX
  }, [list, currentId, wanted])
}
