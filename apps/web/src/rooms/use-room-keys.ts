import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'

const STOPS = '.room-link, .category-toggle'

type Steps = Readonly<Record<string, ((place: number, count: number) => number) | undefined>>

const steps: Steps = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  Home: () => 0,
  End: (_place, count) => count - 1,
}

/**
 * Arrows, Home and End go through the list of rooms; of its rooms the Tab key stops at one, however many there are.
 * @param rows the ids of the categories and rooms that are listed, from the top down
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
