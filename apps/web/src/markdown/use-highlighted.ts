import { useEffect, useState } from 'react'
import type { CodeNode } from './highlight.ts'
import { languageId } from './languages.ts'

/** The parts of code in a language that is known; null until they are there, and for all other code. */
export function useHighlighted(language: string, text: string): readonly CodeNode[] | null {
  const [nodes, setNodes] = useState<readonly CodeNode[] | null>(null)
  const id = languageId(language)

  useEffect(() => {
    if (id === undefined) return
    let isWanted = true
    import('./highlight.ts')
      .then(({ highlight }) => highlight(id, text))
      .then(
        (found) => isWanted && setNodes(found),
        // Code can be read without colours.
        () => undefined,
      )
    return () => {
      isWanted = false
      setNodes(null)
    }
  }, [id, text])

  return nodes
}
