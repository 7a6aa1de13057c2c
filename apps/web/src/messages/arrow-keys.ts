import type { KeyboardEvent } from 'react'

/** In a list with one Tab stop: up, down, Home and End go from message to message. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  // On a player they mean its volume.
  if (!(event.target instanceof Element) || event.target instanceof HTMLMediaElement) return
  const current = event.target.closest<HTMLElement>('[data-row]')
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row][tabindex]')]
  const index = current === null ? -1 : rows.indexOf(current)
  const next = rows[target(event.key, index, rows.length - 1)]
  if (index === -1 || next === undefined) return
  event.preventDefault()
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

function target(key: string, index: number, last: number): number {
  if (key === 'ArrowUp') return Math.max(0, index - 1)
  if (key === 'ArrowDown') return Math.min(last, index + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : -1
}
