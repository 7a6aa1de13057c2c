import type { Client } from '@foyer/sdk/client'

type Server = Pick<Client, 'notifications'>

/**
 * Has the server push to this browser until the login ends.
 * @returns false where the browser has no service of that kind; notifications are then shown while a page is open
 */
export async function subscribeDevice({ notifications }: Server): Promise<boolean> {
  const manager = await pushManager()
  if (manager === null) return false
  const { public_key } = await notifications.pushKey()
  const subscription = await subscribe(manager, public_key)
  const { endpoint, keys } = subscription?.toJSON() ?? {}
  if (endpoint === undefined || keys === undefined) return false
  const { p256dh = '', auth = '' } = keys
  await notifications.subscribe({ endpoint, keys: { p256dh, auth } })
  return true
}

/** The server may be out of reach: what it pushes afterwards finds nobody, and it forgets the address. */
export async function unsubscribeDevice({ notifications }: Server): Promise<void> {
  const subscription = await (await pushManager())?.getSubscription()
  if (subscription === null || subscription === undefined) return
  await subscription.unsubscribe()
  await notifications.unsubscribe(subscription.endpoint).catch(() => undefined)
}

/** Where the page came without TLS there is none. */
export async function pushManager(): Promise<PushManager | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null
  return (await navigator.serviceWorker.getRegistration())?.pushManager ?? null
}

/** A subscription is for one key: after the server's has changed it is made anew. */
async function subscribe(manager: PushManager, key: string): Promise<PushSubscription | null> {
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') return null
    await (await manager.getSubscription())?.unsubscribe()
    return manager.subscribe(options).catch(() => null)
  }
}
