import type { Client } from '@foyer/sdk/client'
import { pushManager } from './push-registration.ts'

type Server = Pick<Client, 'notifications'>

/**
 * Subscribes this browser to the server's pushes until the user signs out.
 * @returns false if the browser has no push service; notifications then only show while a page is open
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

/** Ends the subscription. If the server is unreachable, its next push fails and it deletes the endpoint. */
export async function unsubscribeDevice({ notifications }: Server): Promise<void> {
  const subscription = await (await pushManager())?.getSubscription()
  if (subscription === null || subscription === undefined) return
  await subscription.unsubscribe()
  await notifications.unsubscribe(subscription.endpoint).catch(() => undefined)
}

/** Subscribes with the server's key, and replaces a subscription made with an older key. */
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
