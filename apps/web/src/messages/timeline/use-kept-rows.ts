import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react'

const NONE: ReadonlySet<string> = new Set()

/**
 * Returns rows that stay rendered when scrolled away: the focused one, which would lose the focus, the edited one,
 * and those playing media.
 */
export function useKeptRows(list: RefObject<HTMLElement | null>, editingId: string | null) {
  const [focused, setFocused] = useState<string | null>(null)
  const [playing, setPlaying] = useState(NONE)

  useEffect(() => {
    const element = list.current
    if (element === null) return
    const controller = new AbortController()
    // `play` events do not bubble.
    const options = { capture: true, signal: controller.signal }
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
    return () => controller.abort()
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
