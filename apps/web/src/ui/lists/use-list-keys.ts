import { type RefObject, useEffect, useRef } from 'react'

interface ListKeys {
  /** Id of the list. Its options have this id followed by `-0`, `-1` and so on. */
  listId: string
  /** Number of options. With 0, the keys are not handled. */
  count: number
  /** Index of the active option; -1 for none. */
  index: number
  setIndex: (index: number) => void
  pick: () => void
  /** Called on Escape. */
  onClose: () => void
  /** Tab picks the option and also moves to the next field. */
  goesOn?: boolean
  /** Leaves Escape to the surrounding elements. */
  passesEscape?: boolean
}

/** Controls a list of options with the keys of a focused field, and exposes the active option to assistive technology. */
export function useListKeys(input: RefObject<HTMLElement | null>, keys: ListKeys): void {
  const current = useRef(keys)
  current.current = keys
  const { listId, count, index } = keys

  useEffect(() => {
    const field = input.current
    // Runs before React's handlers of surrounding elements.
    const listen = (event: KeyboardEvent) => onKeyDown(event, current.current)
    field?.addEventListener('keydown', listen, { capture: true })
    return () => field?.removeEventListener('keydown', listen, { capture: true })
  }, [input])

  useEffect(() => {
    const field = input.current
    if (field === null || count === 0 || index < 0) return
    const attributes = { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${index}` }
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value)
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: 'nearest' })
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name)
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
