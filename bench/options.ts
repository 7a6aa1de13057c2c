import { parseArgs } from 'node:util'

export interface Options<Name extends string> {
  numbers: Record<Name, number>
  /** Present for names given on the command line. */
  texts: Readonly<Record<string, string>>
  /** True to only check that the benchmark works: it is short, and records nothing. */
  isSmoke: boolean
  /** True to save the figures in bench/results. */
  isRecorded: boolean
  /** Folder for a CPU profile of the server; undefined to take none. */
  profileDir: string | undefined
}

/**
 * Reads `--name=number` for each of the defaults, and `--smoke`, `--record` and `--profile=folder`.
 * @param smoke changes of the defaults under `--smoke`
 * @param textNames options of the form `--name=text`
 * @throws Error for an unknown name, or a value that is not a number
 */
export function readOptions<Name extends string>(
  defaults: Record<Name, number>,
  smoke: Partial<Record<Name, number>>,
  textNames: readonly string[] = [],
): Options<Name> {
  const { values } = parseArgs({ strict: false })
  const { smoke: isSmoke = false, record = false, profile, ...given } = values
  const numbers = { ...defaults, ...(isSmoke ? smoke : {}) }
  for (const name in defaults) numbers[name] = asNumber(name, given[name] ?? numbers[name])
  const known = [...Object.keys(defaults), ...textNames]
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`unknown option --${unknown}, expected one of ${known.join(', ')}`)
  const texts = textNames.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : []))
  return {
    numbers,
    texts: Object.fromEntries(texts),
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
