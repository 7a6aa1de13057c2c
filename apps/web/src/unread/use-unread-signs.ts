import { useEffect } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { notifyingCount } from '#src/store/selectors.ts'
import { faviconWith } from './favicon.ts'
import { markAllRead } from './read-marks.ts'

/** Shows the count of mentions on the tab and the app icon. Handles the shortcut that marks everything as read. */
export function useUnreadSigns(): void {
  const session = useSession()
  const calls = useAppState(notifyingCount)
  // If the request fails, channels stay unread on other devices until they are read there.
  useShortcut('mark-all-read', () => void markAllRead(session).catch(() => undefined))

  useEffect(() => {
    // Visible only if the app is installed.
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
