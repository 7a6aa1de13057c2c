import { useEffect } from 'react'
import { useAppState } from '#src/session/context.ts'
import { callCount, isAnyUnread } from '#src/store/selectors.ts'

/** The tab's title names the page, and before it how much calls for the reader; a dot where something is unread that does not. */
export function useTitle(name: string): void {
  const calls = useAppState(callCount)
  const unread = useAppState(isAnyUnread)
  useEffect(() => {
    document.title = `${prefixOf(calls, unread)}${name} · Foyer`
    return () => {
      document.title = 'Foyer'
    }
  }, [calls, unread, name])
}

function prefixOf(calls: number, unread: boolean): string {
  if (calls > 0) return `(${calls}) `
  return unread ? '• ' : ''
}
