import { useEffect, useState } from 'react'
import type { CodeNode } from './highlight.ts'
import { languageId } from './languages.ts'

/** Maximum number of cached highlighted texts. The oldest are removed first. */
const MAX_CACHED = 200

/** Highlighted code by language and text, so that code is coloured immediately when it is shown again. */
const cache = new Map<string, readonly CodeNode[]>()

/** Returns highlighted code; null while loading, and for unknown languages. */
export function useHighlighted(language: string, text: string): readonly CodeNode[] | null {
  const id = languageId(language)
  const key = `${id} ${text}`
  const [found, setFound] = useState({ key, nodes: cache.get(key) ?? null })
  const nodes = (found.key === key ? found.nodes : cache.get(key)) ?? null
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
        // If highlighting fails, the code is shown without colours.
        () => undefined,
      )
    return () => {
      isWanted = false
    }
  }, [id, text, key, isFound])

  return nodes
}

function remember(key: string, nodes: readonly CodeNode[]): void {
  cache.set(key, nodes)
  const [oldest] = cache.keys()
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest)
}
