import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'
import { type MenuPlace, pointAt } from '#src/ui/menu-place.ts'

const LONG_PRESS_MS = 450
/** Until what lifting the finger brings is over. */
const AFTER_LIFTING_MS = 120
/** A finger is never quite still. */
const SLACK_PX = 10
/** They have menus of their own. */
const OWN_MENU = 'a[href], img, video, audio, input, textarea, .reaction'

/** A row's menu, which opens with the other button of a mouse, the menu key, or a long press of a finger. */
export function useRowMenu() {
  const [at, setAt] = useState<MenuPlace | null>(null)
  const press = useLongPress((x, y) => setAt(pointAt(x, y)))

  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const { target, currentTarget, clientX, clientY } = event
    if (!isOfRow(event) || isSelecting(currentTarget)) return
    event.preventDefault()
    if (press.isHeld()) return
    press.end()
    // The key opens it without a place.
    setAt(target === currentTarget && event.button !== 2 ? currentTarget : pointAt(clientX, clientY))
  }

  // The finger that opened the menu is lifted beside it, which would close it again.
  const close = () => press.isHeld() || setAt(null)
  return { at, open: setAt, close, handlers: { onContextMenu, ...press.handlers } }
}

/** Not all browsers tell of a long press as of the other button. */
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

/** Not what has a menu of its own, nor what the row opened over the page. */
function isOfRow({ currentTarget, target }: MouseEvent<HTMLElement>): boolean {
  return target instanceof Element && currentTarget.contains(target) && target.closest(OWN_MENU) === null
}

/** Who has selected words wants to copy them. */
function isSelecting(row: Element): boolean {
  const selection = window.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true)
}
