/** A limit in bytes as people write it. Units are 1024 of the one before, as everywhere sizes are shown. */
export const UNITS = ['MB', 'GB', 'TB'] as const

export type Unit = (typeof UNITS)[number]

export interface WrittenLimit {
  /** Empty for no limit. */
  readonly amount: string
  readonly unit: Unit
}

/** Null for no limit, undefined for what is no limit. */
export function readLimit({ amount, unit }: WrittenLimit): number | null | undefined {
  const text = amount.trim().replace(',', '.')
  if (text === '') return null
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined
  const bytes = Math.round(Number(text) * bytesIn(unit))
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** In the largest unit that keeps it exact to a hundredth. */
export function writeLimit(bytes: number | null): WrittenLimit {
  if (bytes === null) return { amount: '', unit: 'GB' }
  const unit = UNITS.findLast((candidate) => isRound(bytes / bytesIn(candidate))) ?? 'MB'
  return { amount: plain(bytes / bytesIn(unit)), unit }
}

export function isUnit(text: string): text is Unit {
  return UNITS.some((unit) => unit === text)
}

/** As it is typed, to the last byte: a MB has 20 bits. */
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
