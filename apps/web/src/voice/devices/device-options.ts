import { t } from '#src/language/texts.ts'
import type { Device } from './use-devices.ts'

/** Options of a select. Keeps the chosen device in the list while it is not connected. */
export function deviceOptions(devices: readonly Device[], chosen: string) {
  const isThere = chosen === '' || devices.some(({ id }) => id === chosen)
  return [
    ['', t('System default')] as const,
    ...devices.map(({ id, label }) => [id, label] as const),
    ...(isThere ? [] : [[chosen, t('Selected device (not connected)')] as const]),
  ]
}
