import { useEffect, useLayoutEffect, useRef } from 'react'
import { isApple } from './is-apple.ts'
import { keepKeys } from './kept-keys.ts'
import { pressed, type ShortcutId } from './shortcuts.ts'

type Handler = () => void

/** Who handles what now, the one that came last at the end. */
const handlers = new Map<string, Handler[]>()

/**
 * Handles a shortcut while the component is there, in place of who handled it before. Dialogs keep the keys to themselves.
 * Without a handler the browser's own meaning of the keys stays.
 */
export function useShortcut(id: ShortcutId, handler: Handler): void {
  const current = useRef(handler)
  current.current = handler

  // As soon as it can be seen: a key may follow at once.
  useLayoutEffect(() => {
    const handle: Handler = () => current.current()
    handlers.set(id, [...(handlers.get(id) ?? []), handle])
    return () => void handlers.set(id, handlers.get(id)?.filter((other) => other !== handle) ?? [])
  }, [id])
}

/** Does what a shortcut does, for who has no keyboard: by a button. */
export function runShortcut(id: ShortcutId): void {
  handlers.get(id)?.at(-1)?.()
}

const opensField: ReadonlySet<ShortcutId> = new Set(['switcher', 'search', 'emojis'])

/** Listens to the keyboard for all of them: once in the page. */
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
  // Asked last: looking through the page costs each key that is typed 10 ms on a slow machine.
  if (handle === undefined || isTaken() || (id === 'search' && isInSearch())) return
  event.preventDefault()
  if (opensField.has(id)) keepKeys()
  handle()
}

/** Pressed again in the search of messages, the keys open the browser's own search of the page. */
function isInSearch(): boolean {
  return document.activeElement?.closest('.search-line') != null
}

/** A dialog is open, or something else that the keys belong to. */
function isTaken(): boolean {
  // Lists below a field take their keys there; the one of the search stays in the page while it is hidden.
  const open = '.modal-backdrop, [role="menu"], [role="listbox"]:focus-within, .popover'
  return document.querySelector(`:is(${open}):not([data-ending-style])`) !== null
}
