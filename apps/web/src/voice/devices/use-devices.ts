import { useCallback, useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'

export interface Device {
  readonly id: string
  readonly label: string
}

export interface Devices {
  readonly inputs: readonly Device[]
  readonly outputs: readonly Device[]
  readonly cameras: readonly Device[]
  /** True if devices have names. Browsers reveal them only to pages that may use the microphone. */
  readonly areNamed: boolean
  /** Lists the devices again. */
  readonly refresh: () => void
}

const NONE: readonly MediaDeviceInfo[] = []

/** The connected microphones, speakers and cameras. */
export function useDevices(): Devices {
  const [devices, setDevices] = useState(NONE)
  const refresh = useCallback(() => {
    listDevices().then(setDevices, () => setDevices(NONE))
  }, [])

  useEffect(() => {
    refresh()
    const media: MediaDevices | undefined = navigator.mediaDevices
    media?.addEventListener('devicechange', refresh)
    return () => media?.removeEventListener('devicechange', refresh)
  }, [refresh])

  return {
    inputs: devicesOf(devices, 'audioinput'),
    outputs: devicesOf(devices, 'audiooutput'),
    cameras: devicesOf(devices, 'videoinput'),
    areNamed: devices.some(({ label }) => label !== ''),
    refresh,
  }
}

async function listDevices(): Promise<readonly MediaDeviceInfo[]> {
  // Undefined on pages served without TLS.
  const media: MediaDevices | undefined = navigator.mediaDevices
  return media === undefined ? NONE : media.enumerateDevices()
}

/** Leaves out the entries for the system default: choosing no device means the same. */
function devicesOf(devices: readonly MediaDeviceInfo[], kind: MediaDeviceKind): Device[] {
  return devices
    .filter((device) => device.kind === kind && !['', 'default', 'communications'].includes(device.deviceId))
    .map(({ deviceId, label }, index) => ({
      id: deviceId,
      label: label || t('Device {number}', { number: index + 1 }),
    }))
}
