import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'

const STOPS = '.room-link, .category-toggle'

type Steps = Readonly<Record<string, ((index: number, count: number) => number) | undefined>>

const steps: Steps = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

/**
 * Moves the focus through the room list with the arrows, Home and End. The Tab key stops at one room only.
 * @param rows ids of the listed categories and rooms, from the top down
 */
export function useRoomKeys(list: RefObject<HTMLElement | null>, rows: readonly string[]) {
  const [lastId, setLastId] = useState<string | null>(null)
  const [wanted, setWanted] = useState<{ id: string } | null>(null)

  useEffect(() => {
    if (wanted !== null) stopOf(list.current, wanted.id)?.focus()
  }, [list, wanted])

  function onKeyDown(event: KeyboardEvent) {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
    const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
    if (!isPlain || !(target instanceof HTMLElement) || !target.matches(STOPS)) return
    const next = steps[key]?.(rows.indexOf(idOf(target)), rows.length)
    if (next === undefined) return
    event.preventDefault()
    const id = rows[Math.max(0, Math.min(rows.length - 1, next))]
    if (id !== undefined) setWanted({ id })
  }

  function onFocus({ target }: FocusEvent) {
    if (target.matches('.room-link')) setLastId(idOf(target))
  }

  return { lastId, wantedId: wanted?.id ?? null, handlers: { onKeyDown, onFocus } }
}

function stopOf(list: HTMLElement | null, id: string): HTMLElement | null | undefined {
  return list?.querySelector(`[data-room="${id}"]`)?.querySelector<HTMLElement>(STOPS)
}

function idOf(target: Element): string {
  return target.closest<HTMLElement>('[data-room]')?.dataset.room ?? ''
}
