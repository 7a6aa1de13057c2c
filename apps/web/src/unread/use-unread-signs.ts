import { useEffect } from 'react'
import { markAllRead } from '#src/messages/read-marks.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { callCount } from '#src/store/selectors.ts'
import { faviconWith } from './favicon.ts'

/** Shows on the tab how much calls for the reader, and lets them be done with all of it by a key. */
export function useUnreadSigns(): void {
  const session = useSession()
  const calls = useAppState(callCount)
  // What could not be told stays unread on other devices, and is told when it is read there.
  useShortcut('mark-all-read', () => void markAllRead(session).catch(() => undefined))

  useEffect(() => {
    // Where the app is not installed nobody sees it.
    navigator.setAppBadge?.(calls).catch(() => undefined)
  }, [calls])

  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon === null || calls === 0) return
    const plain = icon.href
    icon.href = faviconWith(calls)
    return () => {
      icon.href = plain
    }
  }, [calls])
}
