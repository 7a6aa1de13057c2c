import { useEffect, useState } from 'react'
import type { CodeNode } from './highlight.ts'
import { languageId } from './languages.ts'

/** More are forgotten, all at once: they are made anew when they are shown. */
const MAX_KNOWN = 200

/** Of code that was shown before: it has its colours at once when one comes back to it. */
const known = new Map<string, readonly CodeNode[]>()

/** The parts of code in a language that is known; null until they are there, and for all other code. */
export function useHighlighted(language: string, text: string): readonly CodeNode[] | null {
  const id = languageId(language)
  const key = `${id} ${text}`
  const [found, setFound] = useState({ key, nodes: known.get(key) ?? null })
  const isFound = found.key === key && found.nodes !== null

  useEffect(() => {
    if (id === undefined || isFound) return
    let isWanted = true
    import('./highlight.ts')
      .then(({ highlight }) => highlight(id, text))
      .then(
        (nodes) => {
          remember(key, nodes)
          if (isWanted) setFound({ key, nodes })
        },
        // Code can be read without colours.
        () => undefined,
      )
    return () => {
      isWanted = false
    }
  }, [id, text, key, isFound])

  return found.key === key ? found.nodes : null
}

function remember(key: string, nodes: readonly CodeNode[]): void {
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, nodes)
}
