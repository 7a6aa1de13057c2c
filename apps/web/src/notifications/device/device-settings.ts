import { keepRecord, readRecord } from '#src/voice/control/voice-settings.ts'

const KEY = 'foyer.notifications'

const listeners = new Set<() => void>()

/** Notification settings of this browser. */
export interface DeviceSettings {
  /** True if the user turned notifications on. The browser's permission is needed too. */
  readonly isOn: boolean
  readonly hasSounds: boolean
}

export function readDevice(storage: Pick<Storage, 'getItem'>): DeviceSettings {
  const { isOn, hasSounds } = readRecord(storage, KEY)
  return { isOn: isOn === true, hasSounds: typeof hasSounds === 'boolean' ? hasSounds : isOn === true }
}

/** Returns true if the user has turned notifications on or off in this browser. */
export function isDeviceChosen(storage: Pick<Storage, 'getItem'>): boolean {
  return typeof readRecord(storage, KEY).isOn === 'boolean'
}

export function keepDevice(storage: Storage, change: Partial<DeviceSettings>): void {
  keepRecord(storage, KEY, { ...readRecord(storage, KEY), ...change })
  for (const listener of listeners) listener()
}

/** Calls the listener when the settings change, in this tab or another. @returns a function to unsubscribe */
export function onDeviceChange(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

export function forgetDeviceSettings(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(KEY)
}
