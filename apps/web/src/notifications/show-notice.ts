import { navigate } from 'wouter/use-browser-location'
import type { Notice } from './notice.ts'
import { isRecentRaid } from './recent-raid.ts'

/** Notifications without a worker, by tag. Browsers cannot list them. */
const withoutWorker = new Map<string, Notification>()

/** Shows a silent notification, through the worker if there is one. The page plays the sound itself. */
export async function showNotice(notice: Notice): Promise<void> {
  const { title, body, url, tag, message_id } = notice
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const data = { url, message_id, shown_at: Date.now() }
  const isUrgent = message_id === null
  const look = { icon: '/icon-192.png', dir: 'auto', silent: true, requireInteraction: isUrgent } as const
  const options = { body, tag, data, ...look }
  const registration = await navigator.serviceWorker?.getRegistration()
  if (registration?.active == null) return showWithoutWorker(title, options, url)
  // A push of the server may have shown this notification already.
  const shown = await registration.getNotifications({ tag })
  if (shown.some((notification) => isSame(notification, notice))) return
  await registration.showNotification(title, options)
}

function isSame(shown: Notification, { message_id, isRaid = false }: Notice): boolean {
  return isRaid ? isRecentRaid(shown) : (shown.data?.message_id ?? null) === message_id
}

/** Closes the notifications of a channel, call or raid. */
export async function closeNotices(tag: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications({ tag })) ?? []) shown.close()
  withoutWorker.get(tag)?.close()
  withoutWorker.delete(tag)
}

function showWithoutWorker(title: string, options: NotificationOptions & { tag: string }, url: string): void {
  try {
    const shown = new Notification(title, options)
    withoutWorker.set(options.tag, shown)
    shown.onclick = () => {
      window.focus()
      navigate(url)
      shown.close()
    }
  } catch {
    // Phones only show notifications through a worker.
  }
}
