import { deviceOf } from '@foyer/protocol/devices'
import { t } from '#src/language/texts.ts'

/** Returns a name for a User-Agent, like "Firefox on Windows". Returns an unknown User-Agent unchanged. */
export function deviceName(userAgent: string): string {
  const { program, system } = deviceOf(userAgent)
  if (program !== undefined && system !== undefined) return t('{program} on {system}', { program, system })
  return program ?? system ?? (userAgent.trim() || t('Unknown device'))
}

export function isHandheld(userAgent: string): boolean {
  return /iPhone|iPad|Android|Mobile/.test(userAgent)
}
