import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { type MenuAnchor, pointAt } from '#src/ui/popups/menu-anchor.ts'

const LONG_PRESS_MS = 450
/** Time in which the events caused by lifting the finger arrive. */
const AFTER_LIFTING_MS = 120
/** Movement allowed during a long press. */
const SLACK_PX = 10
/** Elements with their own context menu. */
const OWN_MENU = 'a[href], img, video, audio, input, textarea, .reaction'

/** A row's menu: opens by right click, menu key or long press. */
export function useRowMenu() {
  const [at, setAt] = useState<MenuAnchor | null>(null)
  const press = useLongPress((x, y) => setAt(pointAt(x, y)))

  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const { target, currentTarget, clientX, clientY } = event
    if (!isOfRow(event) || isSelecting(currentTarget)) return
    event.preventDefault()
    if (press.isHeld()) return
    press.end()
    // The menu key has no pointer position.
    setAt(target === currentTarget && event.button !== 2 ? currentTarget : pointAt(clientX, clientY))
  }

  // Lifting the finger that opened the menu would close it again.
  const close = () => press.isHeld() || setAt(null)
  return { at, open: setAt, close, handlers: { onContextMenu, ...press.handlers } }
}

/** Not all browsers fire `contextmenu` on a long press. */
function useLongPress(onPress: (x: number, y: number) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const isHeld = useRef(false)

  function end() {
    clearTimeout(press.current?.timer)
    press.current = null
    if (isHeld.current) setTimeout(() => (isHeld.current = false), AFTER_LIFTING_MS)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const { pointerType, clientX: x, clientY: y } = event
    if (pointerType !== 'touch' || !isOfRow(event)) return
    const open = () => {
      isHeld.current = true
      onPress(x, y)
    }
    press.current = { timer: setTimeout(open, LONG_PRESS_MS), x, y }
  }

  function onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
    if (press.current === null) return
    const { x, y } = press.current
    if (Math.hypot(clientX - x, clientY - y) > SLACK_PX) end()
  }

  const handlers = { onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end }
  return { isHeld: () => isHeld.current, end, handlers }
}

/** False for elements with their own menu, and for popups opened by the row. */
function isOfRow({ currentTarget, target }: MouseEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.closest(OWN_MENU) === null
}

/** Returns true if text of the row is selected. Copying it needs the browser's own menu. */
function isSelecting(row: Element): boolean {
  const selection = window.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true)
}
