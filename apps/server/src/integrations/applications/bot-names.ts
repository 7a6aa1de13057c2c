import { randomBytes } from 'node:crypto'
import { limits } from '@foyer/protocol/limits'

const SUFFIX_BYTES = 4
const FALLBACK = 'bot'

/**
 * Returns usernames to try for a new bot, in order: only the requested one, or several made from the application's name.
 */
export function usernamesFor({ name, username }: { name: string; username?: string }): readonly string[] {
  if (username !== undefined) return [username]
  const base = usernameOf(name)
  return [base, withSuffix(base), withSuffix(base)]
}

/** Returns the application's name, cut to the length of an alias. */
export function aliasOf(name: string): string {
  return [...name].slice(0, limits.aliasMax).join('').trim()
}

/** Returns a username made from a name: `Möbel & Co.` gives `mobel_co.`. A name without Latin letters gives `bot`. */
function usernameOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
  const slug = letters.replaceAll(/[^a-z0-9_.]+/g, '_').slice(0, limits.usernameMax)
  const trimmed = slug.replaceAll(/^_+|_+$/g, '')
  return trimmed.length < limits.usernameMin ? FALLBACK : trimmed
}

/** Appends a random suffix. A counter would reveal the number of earlier bots. */
function withSuffix(base: string): string {
  const suffix = `_${randomBytes(SUFFIX_BYTES).toString('hex')}`
  return base.slice(0, limits.usernameMax - suffix.length) + suffix
}
