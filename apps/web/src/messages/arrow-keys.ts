import type { KeyboardEvent } from 'react'

/** In a list with one Tab stop: which of its rows the key goes to from the one with the focus; null where it means nothing. */
export function rowByKey(event: KeyboardEvent<HTMLElement>, keys: readonly string[]): string | null {
  // Those go from room to room.
  if (event.altKey || event.ctrlKey || event.metaKey) return null
  // On a player they mean its volume.
  if (!(event.target instanceof Element) || event.target instanceof HTMLMediaElement) return null
  const index = keys.indexOf(event.target.closest<HTMLElement>('[data-row]')?.dataset.row ?? '')
  return index === -1 ? null : (keys[target(event.key, index, keys.length - 1)] ?? null)
}

function target(key: string, index: number, last: number): number {
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'ArrowDown') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : -1
}
