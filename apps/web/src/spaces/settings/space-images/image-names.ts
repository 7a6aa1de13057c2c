const MIN = 2
const MAX = 32

/** Returns true for a name that the server accepts: 2 to 32 ASCII letters, digits or underscores. */
export function isImageName(name: string): boolean {
  return /^[A-Za-z0-9_]{2,32}$/.test(name)
}

/**
 * Derives a valid, unused name from a filename.
 * @param taken names in use, compared without case
 * @param noun fallback, and prefix of names that are too short
 */
export function imageNameOf(filename: string, taken: readonly string[], noun: string): string {
  const stem = filename.replace(/\.[^.]*$/, '')
  const plain = stem.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const joined = plain.replaceAll(/[^A-Za-z0-9_]+/g, '_').replaceAll(/^_+|_+$/g, '')
  const base = joined.length < MIN ? [noun, joined].filter((part) => part !== '').join('_') : joined
  return freeName(base.slice(0, MAX), new Set(taken.map((name) => name.toLowerCase())))
}

function freeName(base: string, taken: ReadonlySet<string>): string {
  let name = base
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) {
    const ending = `_${number}`
    name = base.slice(0, MAX - ending.length) + ending
  }
  return name
}
