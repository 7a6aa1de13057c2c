import { useEffect, useLayoutEffect, useRef } from 'react'
import { isApple } from './is-apple.ts'
import { keepKeys } from './kept-keys.ts'
import { pressed, type ShortcutId } from './shortcuts.ts'

type Handler = () => void

/** Handlers by shortcut, the latest last. */
const handlers = new Map<string, Handler[]>()

/**
 * Handles a shortcut while the component is mounted, instead of earlier handlers. Open dialogs receive the keys first.
 * Without a handler, the keys keep their meaning in the browser.
 */
export function useShortcut(id: ShortcutId, handler: Handler): void {
  const current = useRef(handler)
  current.current = handler

  // In a layout effect, because a key may be pressed as soon as the component is visible.
  useLayoutEffect(() => {
    const handle: Handler = () => current.current()
    handlers.set(id, [...(handlers.get(id) ?? []), handle])
    return () => void handlers.set(id, handlers.get(id)?.filter((other) => other !== handle) ?? [])
  }, [id])
}

/** Runs a shortcut from a button, for users without a keyboard. */
export function runShortcut(id: ShortcutId): void {
  handlers.get(id)?.at(-1)?.()
}

const opensField: ReadonlySet<ShortcutId> = new Set(['switcher', 'search', 'emojis'])

/** Handles the keys of all shortcuts. Used once in the page. */
export function useShortcutKeys(): void {
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const id = pressed(event, isApple())
  if (id === undefined) return
  const handle = handlers.get(id)?.at(-1)
  // Checked last: searching the page takes 10 ms per key on a slow machine.
  if (handle === undefined || isTaken() || (id === 'search' && isInSearch())) return
  event.preventDefault()
  if (opensField.has(id)) keepKeys()
  handle()
}

/** Returns true in the message search, where the shortcut opens the browser's own search instead. */
function isInSearch(): boolean {
  return document.activeElement?.closest('.search-line') != null
}

/** Returns true if a dialog, menu or other popup is open that receives the keys. */
function isTaken(): boolean {
  // A list below a field counts only if focused: the one of the search stays in the page while hidden.
  const open = '.modal-backdrop, [role="menu"], [role="listbox"]:focus-within, .popover'
  return document.querySelector(`:is(${open}):not([data-ending-style])`) !== null
}
