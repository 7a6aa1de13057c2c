import type { Tokens } from '@foyer/sdk/rest'

const KEY = 'foyer.session'

/** Returns the id of the login: the session id, which each of its tokens contains. Null if there are no tokens. */
export function loginOf(tokens: Tokens | null): string | null {
  return tokens?.access_token.split('.')[2] ?? null
}

/**
 * Storage of the access token, shared by the browser's tabs. The token is useless without the session token, which is in a
 * cookie. Older versions stored all three tokens here; the first request replaces them.
 */
export interface TokenStorage {
  load(): Tokens | null
  save(tokens: Tokens | null): void
  /** Calls the listener when another tab has signed in, refreshed or signed out. @returns a function to stop */
  onChange(listener: (tokens: Tokens | null) => void): () => void
}

export function browserTokens(window: Window): TokenStorage {
  return {
    load: () => parse(window.localStorage.getItem(KEY)),
    save: (tokens) => {
      if (tokens === null) window.localStorage.removeItem(KEY)
      else window.localStorage.setItem(KEY, JSON.stringify(tokens))
    },
    onChange: (listener) => {
      // Only the other tabs receive `storage`. Its key is null when everything was cleared.
      const onChange = (event: StorageEvent) => {
        if (event.key === KEY || event.key === null) listener(parse(event.newValue))
      }
      window.addEventListener('storage', onChange)
      return () => window.removeEventListener('storage', onChange)
    },
  }
}

function parse(text: string | null): Tokens | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isTokens(value) ? value : null
  } catch {
    return null
  }
}

const fields = ['access_token', 'expires_at', 'session_expires_at']

function isTokens(value: unknown): value is Tokens {
  if (typeof value !== 'object' || value === null) return false
  return fields.every((field) => typeof Reflect.get(value, field) === 'string')
}
