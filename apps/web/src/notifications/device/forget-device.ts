import { forgetDeviceSettings } from './device-settings.ts'
import { pushManager } from './push-registration.ts'

/** Ends pushes to this browser after signing out and closes its notifications. */
export async function forgetDevice(): Promise<void> {
  forgetDeviceSettings(window.localStorage)
  const subscription = await (await pushManager())?.getSubscription()
  await subscription?.unsubscribe()
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
}
