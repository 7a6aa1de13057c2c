import { keepRecord, readRecord } from '#src/voice/voice-settings.ts'

const KEY = 'foyer.notifications'

/** What this browser tells its user. */
export interface DeviceSettings {
  /** Whether it shows notifications; only where its user also lets it. */
  readonly isOn: boolean
  readonly hasSounds: boolean
}

export function readDevice(storage: Pick<Storage, 'getItem'>): DeviceSettings {
  const { isOn, hasSounds } = readRecord(storage, KEY)
  return { isOn: isOn === true, hasSounds: typeof hasSounds === 'boolean' ? hasSounds : isOn === true }
}

export function keepDevice(storage: Storage, change: Partial<DeviceSettings>): void {
  keepRecord(storage, KEY, { ...readRecord(storage, KEY), ...change })
}

export function forgetDeviceSettings(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(KEY)
}
