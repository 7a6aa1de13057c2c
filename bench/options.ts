import { parseArgs } from 'node:util'

export interface Options<Name extends string> {
  numbers: Record<Name, number>
  /** Only whether it works: short, and nothing is recorded. */
  isSmoke: boolean
  /** Keep the figures in bench/results. */
  isRecorded: boolean
  /** Where the server's CPU profile goes; undefined takes none. */
  profileDir: string | undefined
}

/**
 * Reads `--name=number` for each of the defaults, and `--smoke`, `--record` and `--profile=folder`.
 * @param smoke what `--smoke` makes of the defaults
 * @throws Error for a name that is none, or a value that is no number
 */
export function readOptions<Name extends string>(
  defaults: Record<Name, number>,
  smoke: Partial<Record<Name, number>>,
): Options<Name> {
  const { values } = parseArgs({ strict: false })
  const { smoke: isSmoke = false, record = false, profile, ...given } = values
  const numbers = { ...defaults, ...(isSmoke ? smoke : {}) }
  for (const name in defaults) numbers[name] = asNumber(name, given[name] ?? numbers[name])
  const unknown = Object.keys(given).find((name) => !(name in defaults))
  if (unknown !== undefined) throw new Error(`--${unknown} is none of ${Object.keys(defaults).join(', ')}`)
  return {
    numbers,
    isSmoke: isSmoke === true,
    isRecorded: record === true && isSmoke !== true,
    profileDir: typeof profile === 'string' ? profile : undefined,
  }
}

function asNumber(name: string, value: unknown): number {
  const number = Number(value)
  if (typeof value === 'boolean' || !(number >= 0)) throw new Error(`--${name} must be a number`)
  return number
}
