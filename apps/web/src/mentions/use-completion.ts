import { type RefObject, useState } from 'react'
import { insertAt } from '#src/ui/fields/insert-text.ts'
import { type CompletionQuery, completionQuery } from './completion-query.ts'
import { freeName, type Named } from './named-text.ts'
import type { Suggestion } from './suggestions.ts'

interface Written {
  readonly content: string
  readonly named: Named
  name(named: Named): void
}

/** Completes the mention being typed at the caret of a field. */
export function useCompletion(
  input: RefObject<HTMLTextAreaElement | null>,
  { content, named, name }: Written,
) {
  const [query, setQuery] = useState<CompletionQuery | null>(null)
  // Escape hides the suggestions until the next mention begins.
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const isStale = query !== null && !content.startsWith(query.kind, query.start)

  function look() {
    const field = input.current
    if (field === null) return
    const isCaret = field.selectionStart === field.selectionEnd
    const found = isCaret ? completionQuery(field.value, field.selectionStart) : null
    setQuery(found)
    if (found === null) setClosedAt(null)
  }

  function close() {
    setClosedAt(query?.start ?? null)
  }

  function pick(suggestion: Suggestion) {
    const field = input.current
    if (field === null || query === null) return
    const { text, token, detail } = suggestion
    const shown = token === null ? text : freeName(named, text, token, detail)
    if (token !== null) name({ [shown]: token })
    put(field, `${shown} `, query)
  }

  function put(field: HTMLTextAreaElement, text: string, { start, query: typed }: CompletionQuery) {
    insertAt(field, text, { start, end: start + 1 + typed.length })
    setQuery(null)
  }

  /** A name typed in full counts as picked. */
  function recognize({ token, text: shown }: Suggestion) {
    const field = input.current
    if (field === null || query === null) return
    // Runs after the colon's event, because React restores the field's value then.
    const text = `${query.kind}${query.query}`
    if (token === null)
      return queueMicrotask(() => field.value.startsWith(text, query.start) && put(field, shown, query))
    if (named[text] === undefined) name({ [text]: token })
  }

  const isOpen = query !== null && !isStale && closedAt !== query.start
  return { query: isOpen ? query : null, look, close, pick, recognize }
}
