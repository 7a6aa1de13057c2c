const MIN = 2
const MAX = 32

/** Letters, digits and underlines: names stand in messages. */
export function isImageName(name: string): boolean {
  return /^[A-Za-z0-9_]{2,32}$/.test(name)
}

/**
 * A name for a file's picture: made of the file's, as far as names can be like that, and not taken.
 * @param taken names in use, of which case does not tell one from another
 * @param noun what it is called when nothing of the file's name is left
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
