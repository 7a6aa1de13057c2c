import type { KeyboardEvent } from 'react'
import { isWithin } from './is-within.ts'

export type Way = 'up' | 'down'

/** Handles the keys that move a row by one position. */
export function byKeys(step: (way: Way) => void) {
  return (event: KeyboardEvent) => {
    const way = wayOf(event)
    if (way === undefined || !isWithin(event)) return
    event.preventDefault()
    step(way)
  }
}

function wayOf({ altKey, shiftKey, ctrlKey, metaKey, key }: KeyboardEvent): Way | undefined {
  // With other modifiers, these keys navigate between rooms and spaces.
  if (!altKey || shiftKey || ctrlKey || metaKey) return undefined
  return key === 'ArrowUp' ? 'up' : key === 'ArrowDown' ? 'down' : undefined
}
