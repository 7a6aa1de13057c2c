import { useEffect } from 'react'
import { isolated } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { callCount, isAnyUnread } from '#src/store/selectors.ts'

/** The tab's title names the page, and before it how much calls for the reader; a dot where something is unread that does not. */
export function useTitle(...names: readonly string[]): void {
  const title = [...names, 'Foyer'].map(isolated).join(' · ')
  const calls = useAppState(callCount)
  const unread = useAppState(isAnyUnread)
  useEffect(() => {
    document.title = prefixOf(calls, unread) + title
    return () => {
      document.title = 'Foyer'
    }
  }, [calls, unread, title])
}

function prefixOf(calls: number, unread: boolean): string {
  if (calls > 0) return `(${calls}) `
  return unread ? '• ' : ''
}
