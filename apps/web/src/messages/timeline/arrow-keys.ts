import type { KeyboardEvent } from 'react'

/** Returns the row that an arrow key moves to in a list with one Tab stop; null for other keys. */
export function rowByKey(event: KeyboardEvent<HTMLElement>, keys: readonly string[]): string | null {
  // These combinations switch rooms.
  if (event.altKey || event.ctrlKey || event.metaKey) return null
  // On a media player, arrow keys change the volume.
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
