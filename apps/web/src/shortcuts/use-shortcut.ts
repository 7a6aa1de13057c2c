import { type RefObject, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import { isApple } from './is-apple.ts'
import { keepKeys } from './kept-keys.ts'
import { ShortcutScope } from './shortcut-scope.ts'
import { pressed, type ShortcutId } from './shortcuts.ts'

interface Handler {
  readonly handle: () => void
  /** The panel around the component, or null. */
  readonly scope: RefObject<Element | null> | null
}

/** Handlers by shortcut, the latest last. */
const handlers = new Map<string, Handler[]>()

/**
 * Handles a shortcut while the component is mounted. The handler added last replaces the earlier ones. In a panel, the
 * handler runs only while the panel has the focus, and then takes precedence. While a dialog is open, or without a
 * handler, the keys keep their usual meaning.
 */
export function useShortcut(id: ShortcutId, handler: () => void): void {
  const scope = useContext(ShortcutScope)
  const current = useRef(handler)
  current.current = handler

  // In a layout effect, because a key may be pressed as soon as the component is visible.
  useLayoutEffect(() => {
    const own: Handler = { handle: () => current.current(), scope }
    handlers.set(id, [...(handlers.get(id) ?? []), own])
    return () => void handlers.set(id, handlers.get(id)?.filter((other) => other !== own) ?? [])
  }, [id, scope])
}

/** Runs a shortcut from a button, for users without a keyboard. */
export function runShortcut(id: ShortcutId): void {
  handlerOf(id)?.handle()
}

function handlerOf(id: ShortcutId): Handler | undefined {
  const all = handlers.get(id) ?? []
  const focused = all.findLast(({ scope }) => scope?.current?.contains(document.activeElement))
  return focused ?? all.findLast(({ scope }) => scope === null)
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
  const handler = handlerOf(id)
  // `isTaken` runs only if there is a handler, because it searches the page: 10 ms per key on a slow machine.
  if (handler === undefined || isTaken() || (id === 'search' && isInSearch())) return
  event.preventDefault()
  if (opensField.has(id)) keepKeys()
  handler.handle()
}

/** Returns true if the message search has the focus. The shortcut then opens the browser's own search. */
function isInSearch(): boolean {
  return document.activeElement?.closest('.search-line') != null
}

/** Returns true if a dialog, menu or other popup is open that receives the keys. */
function isTaken(): boolean {
  // A list below a field counts only if focused, because the list of the search stays in the page while hidden.
  const open = '.modal-backdrop, [role="menu"], [role="listbox"]:focus-within, .popover'
  return document.querySelector(`:is(${open}):not([data-ending-style])`) !== null
}
