/** Units of a size limit. Each is 1024 times the previous one, like all sizes in the client. */
export const UNITS = ['MB', 'GB', 'TB'] as const

export type Unit = (typeof UNITS)[number]

export interface WrittenLimit {
  /** Empty for no limit. */
  readonly amount: string
  readonly unit: Unit
}

/** Limit in bytes; null for no limit, undefined for invalid input. */
export function readLimit({ amount, unit }: WrittenLimit): number | null | undefined {
  const text = amount.trim().replace(',', '.')
  if (text === '') return null
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined
  const bytes = Math.round(Number(text) * bytesIn(unit))
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Formats a limit in bytes, in the largest unit in which the amount has at most two decimals. */
export function writeLimit(bytes: number | null): WrittenLimit {
  if (bytes === null) return { amount: '', unit: 'GB' }
  const unit = UNITS.findLast((candidate) => isRound(bytes / bytesIn(candidate))) ?? 'MB'
  return { amount: plain(bytes / bytesIn(unit)), unit }
}

export function isUnit(text: string): text is Unit {
  return UNITS.some((unit) => unit === text)
}

/** Formats without an exponent and exact to the byte: 20 decimals, as a MB is 2^20 bytes. */
function plain(amount: number): string {
  return amount
    .toFixed(20)
    .replace(/(?<!0)0+$/, '')
    .replace(/\.$/, '')
}

function isRound(amount: number): boolean {
  return amount >= 1 && Math.round(amount * 100) === amount * 100
}

function bytesIn(unit: Unit): number {
  return 1024 ** (UNITS.indexOf(unit) + 2)
}
