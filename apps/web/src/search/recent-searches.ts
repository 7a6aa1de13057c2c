import { type Asked, type Filter, filterKinds, placeKinds } from './search-filters.ts'

const MAX_RECENT = 5

/** Returns the latest searches of a user in a space or conversation in this browser, the newest first. */
export function recentSearches(key: string): Asked[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(storageKey(key)) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(parseAsked) : []
  } catch {
    return []
  }
}

export function rememberSearch(key: string, asked: Asked): void {
  const others = recentSearches(key).filter((other) => JSON.stringify(other) !== JSON.stringify(asked))
  window.localStorage.setItem(storageKey(key), JSON.stringify([asked, ...others].slice(0, MAX_RECENT)))
}

export function forgetSearches(key: string): void {
  window.localStorage.removeItem(storageKey(key))
}

function storageKey(key: string): string {
  return `foyer.searches.${key}`
}

/** Ignores invalid values, which another version of the client may have stored. */
function parseAsked(value: unknown): Asked[] {
  if (typeof value !== 'object' || value === null) return []
  const [text, filters]: unknown[] = [Reflect.get(value, 'text'), Reflect.get(value, 'filters')]
  if (typeof text !== 'string' || !Array.isArray(filters) || !filters.every(isFilter)) return []
  return [{ text, filters }]
}

function isFilter(value: unknown): value is Filter {
  if (typeof value !== 'object' || value === null) return false
  const isText = ['value', 'label'].every((field) => typeof Reflect.get(value, field) === 'string')
  const known = [...filterKinds, ...placeKinds]
  return isText && known.some((kind) => kind === Reflect.get(value, 'kind'))
}
