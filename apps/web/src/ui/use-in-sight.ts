import { type RefObject, useEffect } from 'react'

/** About a row: it is seen that there are others beyond it. */
const MARGIN_PX = 40

/**
 * In a list whose `nav` scrolls, has what is current in sight when that becomes another, whatever led there. What is seen
 * in full stays where it is: it may be under a pointer that has just pressed it.
 */
export function useInSight(list: RefObject<HTMLElement | null>, currentId: string | null): void {
  useEffect(() => {
    const current = currentId === null ? null : list.current?.querySelector('[aria-current]')
    const nav = current?.closest('nav')
    if (!current || !nav) return
    const [row, view] = [current.getBoundingClientRect(), nav.getBoundingClientRect()]
    const above = row.top - view.top
    const below = row.bottom - view.bottom
    // By hand: the browser's own way scrolls what is around it, too, as a drawer that is sliding in.
    if (above < 0) nav.scrollTop += above - MARGIN_PX
    else if (below > 0) nav.scrollTop += below + MARGIN_PX
  }, [list, currentId])
}
