import { forgetDeviceSettings } from './device-settings.ts'
import { pushManager } from './subscription.ts'

/** After somebody signed out: nothing is pushed to this browser any more, and nothing that was shown stays. */
export async function forgetDevice(): Promise<void> {
  forgetDeviceSettings(window.localStorage)
  const subscription = await (await pushManager())?.getSubscription()
  await subscription?.unsubscribe()
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}
