import { type RefObject, useEffect, useRef } from 'react'

interface ListKeys {
  /** The id of the list; its options have it with `-0`, `-1` and so on behind it. */
  listId: string
  /** How many there are to choose from; with none the keys keep their own meaning. */
  count: number
  /** Of the one that is marked; -1 for none. */
  index: number
  setIndex: (index: number) => void
  pick: () => void
  /** Escape. */
  onClose: () => void
  /** Whether the Tab key goes on to the next field after it picked. */
  goesOn?: boolean
  /** Whether Escape is left to what is around. */
  passesEscape?: boolean
}

/** Steers a list of options from the field that has the focus, and tells assistive technology where in it one is. */
export function useListKeys(input: RefObject<HTMLElement | null>, keys: ListKeys): void {
  const current = useRef(keys)
  current.current = keys
  const { listId, count, index } = keys

  useEffect(() => {
    const field = input.current
    // Before React, which would give the key to what is around.
    const listen = (event: KeyboardEvent) => onKeyDown(event, current.current)
    field?.addEventListener('keydown', listen, { capture: true })
    return () => field?.removeEventListener('keydown', listen, { capture: true })
  }, [input])

  useEffect(() => {
    const field = input.current
    if (field === null || count === 0 || index < 0) return
    const told = { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${index}` }
    for (const [name, value] of Object.entries(told)) field.setAttribute(name, value)
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      for (const name of Object.keys(told)) field.removeAttribute(name)
    }
  }, [input, listId, count, index])
}

function onKeyDown(event: KeyboardEvent, keys: ListKeys): void {
  const { count, index, setIndex, pick, onClose, goesOn = false, passesEscape = false } = keys
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowDown: () => setIndex((index + 1) % count),
    ArrowUp: () => setIndex((index - 1 + count) % count),
    Enter: pick,
    Tab: pick,
    Escape: onClose,
  }
  const isMine = event.key === 'Escape' ? !passesEscape : count > 0
  const action = isMine ? actions[event.key] : undefined
  if (action === undefined) return
  action()
  if (event.key === 'Tab' && goesOn) return
  event.preventDefault()
  event.stopPropagation()
}
