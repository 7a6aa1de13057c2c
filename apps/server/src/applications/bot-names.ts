import { randomBytes } from 'node:crypto'
import { limits } from '@foyer/protocol/limits'

const SUFFIX_BYTES = 4
const FALLBACK = 'bot'

/** The usernames to try for a new bot, in their order: the one asked for alone, or some made of the application's name. */
export function usernamesFor({ name, username }: { name: string; username?: string }): readonly string[] {
  if (username !== undefined) return [username]
  const base = usernameOf(name)
  return [base, withSuffix(base), withSuffix(base)]
}

/** The application's name, as long as an alias may be. */
export function aliasOf(name: string): string {
  return [...name].slice(0, limits.aliasMax).join('').trim()
}

/** `Möbel & Co.` → `mobel_co.`; a name without letters of the alphabet gives `bot`. */
function usernameOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const slug = letters.replaceAll(/[^a-z0-9_.]+/g, '_').slice(0, limits.usernameMax)
  const trimmed = slug.replaceAll(/^_+|_+$/g, '')
  return trimmed.length < limits.usernameMin ? FALLBACK : trimmed
}

/** Random: who counts up could be told by the name how many there were before. */
function withSuffix(base: string): string {
  const suffix = `_${randomBytes(SUFFIX_BYTES).toString('hex')}`
  return base.slice(0, limits.usernameMax - suffix.length) + suffix
}
