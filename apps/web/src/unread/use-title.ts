import { useEffect } from 'react'
import { isolated } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { isAnyUnread, notifyingCount } from '#src/store/selectors.ts'

/** Sets the title of the tab: the page, after the count of mentions or a dot for other unread messages. */
export function useTitle(...names: readonly string[]): void {
  const title = [...names, 'Foyer'].map(isolated).join(' · ')
  const calls = useAppState(notifyingCount)
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
