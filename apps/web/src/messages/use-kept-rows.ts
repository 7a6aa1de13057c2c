import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

/**
 * Rows of a long list that stay when the reader scrolls away: the one with the focus, which would be lost, the one that is
 * being edited, and those that play something.
 */
export function useKeptRows(list: RefObject<HTMLElement | null>, editingId: string | null) {
  const [focused, setFocused] = useState<string | null>(null)
  const [playing, setPlaying] = useState(NONE)

  useEffect(() => {
    const element = list.current
    if (element === null) return
    const heard = new AbortController()
    // Playing does not bubble.
    const options = { capture: true, signal: heard.signal }
    element.addEventListener(
      'play',
      (event) => setPlaying((held) => withKey(held, keyOf(event.target))),
      options,
    )
    for (const name of ['pause', 'ended', 'emptied'])
      element.addEventListener(
        name,
        (event) => setPlaying((held) => withoutKey(held, keyOf(event.target))),
        options,
      )
    element.addEventListener('focusin', (event) => setFocused(keyOf(event.target)), options)
    element.addEventListener('focusout', ({ relatedTarget }) => setFocused(keyOf(relatedTarget)), options)
    return () => heard.abort()
  }, [list])

  const kept = useMemo(() => {
    const single = [focused, editingId].filter((key) => key !== null)
    return new Set([...playing, ...single])
  }, [focused, editingId, playing])
  const isKept = useCallback((key: string) => kept.has(key), [kept])
  return { isKept, focused }
}

function keyOf(target: EventTarget | null): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return row?.dataset.row ?? null
}

function withKey(held: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
  return key === null || held.has(key) ? held : new Set([...held, key])
}

function withoutKey(held: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
  return key === null || !held.has(key) ? held : new Set([...held].filter((other) => other !== key))
}
