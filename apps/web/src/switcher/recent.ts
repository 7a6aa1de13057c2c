const KEY = 'foyer.recent'
const MAX_RECENT = 12

/** Returns the paths visited recently in this browser, the last one first. */
export function recentPaths(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

export function rememberPath(path: string): void {
  const others = recentPaths().filter((other) => other !== path)
  window.localStorage.setItem(KEY, JSON.stringify([path, ...others].slice(0, MAX_RECENT)))
}
