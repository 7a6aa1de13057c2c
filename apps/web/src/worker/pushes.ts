import type { PushPayload } from '@foyer/protocol/notifications'
import { isRecentRaid } from '#src/notifications/recent-raid.ts'
import { type PushWords, worded } from './push-words.ts'
import type { OpenPage, WorkerScope } from './scope.ts'

/** A push that closes the notification of a channel, because the channel was read on another device. */
interface ReadPayload {
  type: 'read'
  tag: string
}

const WORDS_CACHE = 'foyer-words'
const WORDS_PATH = '/words'

/** Shows a push as a notification, unless the user is looking at the app. A test is always shown. */
export async function showPush(scope: WorkerScope, data: unknown): Promise<void> {
  if (isRead(data)) return closeShown(scope, data.tag)
  if (!isPush(data)) return
  const isTest = data.type === 'test'
  if (!isTest && ((await isLookedAt(scope)) || (await isShown(scope, data)))) return
  const { title, body } = worded(data, await keptWords(scope))
  const options = {
    body,
    icon: '/icon-192.png',
    badge: '/notification-badge.png',
    dir: 'auto' as const,
    // A newer notification of a channel replaces the older one, and alerts again.
    tag: data.tag,
    renotify: true,
    requireInteraction: data.type === 'call' || data.type === 'raid',
    data: { url: data.url, message_id: data.message_id, shown_at: Date.now() },
  }
  await scope.registration.showNotification(title, options)
}

/** Opens the notification's channel in an open page, or in a new one. */
export async function openNotification(scope: WorkerScope, notification: Notification): Promise<void> {
  notification.close()
  const url = pathOf(notification.data)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(isVisible) ?? pages[0]
  if (page === undefined) return void (await scope.clients.openWindow(url))
  page.postMessage({ kind: 'open', url })
  // Some browsers allow a page to be focused only shortly after the click.
  await page.focus().catch(() => undefined)
}

/** Stores the templates, because browsers stop an idle worker at any time. */
export async function keepWords({ caches }: WorkerScope, words: PushWords): Promise<void> {
  const cache = await caches.open(WORDS_CACHE)
  await cache.put(WORDS_PATH, new Response(JSON.stringify(words)))
}

async function keptWords({ caches }: WorkerScope): Promise<PushWords | null> {
  const cache = await caches.open(WORDS_CACHE)
  return (await (await cache.match(WORDS_PATH))?.json()) ?? null
}

async function closeShown({ registration }: WorkerScope, tag: string): Promise<void> {
  for (const shown of await registration.getNotifications({ tag })) shown.close()
}

/** True if an open page in the background has already shown this notification. */
async function isShown(
  { registration }: WorkerScope,
  { type, tag, message_id }: PushPayload,
): Promise<boolean> {
  const shown = await registration.getNotifications({ tag })
  if (type === 'raid') return shown.some((notification) => isRecentRaid(notification))
  return message_id !== undefined && shown.some(({ data }) => data?.message_id === message_id)
}

async function isLookedAt({ clients }: WorkerScope): Promise<boolean> {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.some((page) => page.focused && isVisible(page))
}

function isVisible({ visibilityState }: OpenPage): boolean {
  return visibilityState === 'visible'
}

/** Accepts only a path, so that notifications never open another site. */
function pathOf(data: unknown): string {
  const url = isRecord(data) && typeof data.url === 'string' ? data.url : '/'
  return /^\/(?!\/)/.test(url) ? url : '/'
}

const ALWAYS_NEEDED = ['title', 'body', 'url', 'tag']
const OF_PERSON = [...ALWAYS_NEEDED, 'author_name', 'text']

/** Required text fields, by type of push. */
const NEEDED: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['message', OF_PERSON],
  ['call', OF_PERSON],
  ['raid', [...ALWAYS_NEEDED, 'space_name']],
  ['test', ALWAYS_NEEDED],
])

/** Validates the push: the server may be older or newer than this worker. */
function isPush(data: unknown): data is PushPayload {
  if (!isRecord(data)) return false
  const needed = NEEDED.get(data.type) ?? []
  return needed.length > 0 && needed.every((name) => typeof data[name] === 'string')
}

function isRead(data: unknown): data is ReadPayload {
  return isRecord(data) && data.type === 'read' && typeof data.tag === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
