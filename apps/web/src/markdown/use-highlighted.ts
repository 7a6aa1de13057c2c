import { useEffect, useState } from 'react'
import type { CodeNode } from './highlight.ts'
import { languageId } from './languages.ts'

/** More are forgotten, those first that were made first: they are made anew when they are shown. */
const MAX_KNOWN = 200

/** Of code that was shown before: it has its colours at once when one comes back to it. */
const known = new Map<string, readonly CodeNode[]>()

/** The parts of code in a language that is known; null until they are there, and for all other code. */
export function useHighlighted(language: string, text: string): readonly CodeNode[] | null {
  const id = languageId(language)
  const key = `${id} ${text}`
  const [found, setFound] = useState({ key, nodes: known.get(key) ?? null })
  const nodes = (found.key === key ? found.nodes : known.get(key)) ?? null
  const isFound = nodes !== null

  useEffect(() => {
    if (id === undefined || isFound) return
    let isWanted = true
    import('./highlight.ts')
      .then(({ highlight }) => highlight(id, text))
      .then(
        (made) => {
          remember(key, made)
          if (isWanted) setFound({ key, nodes: made })
        },
        // Code can be read without colours.
        () => undefined,
      )
    return () => {
      isWanted = false
    }
  }, [id, text, key, isFound])

  return nodes
}

function remember(key: string, nodes: readonly CodeNode[]): void {
  known.set(key, nodes)
  const [oldest] = known.keys()
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
}
