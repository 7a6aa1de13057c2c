/**
 * Replaces this page's `localStorage` and `sessionStorage` by ones that never fail. Browsers refuse them when they are full, or
 * altogether where the user forbids cookies: the values then last as long as the page, and the app works all the same.
 */
export function beginSteadyStorage(window: Window): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    const steady = new SteadyStorage(attempt(() => window[name]))
    // Another tab's value is newer than the one that the browser refused here.
    if (name === 'localStorage') window.addEventListener('storage', ({ key }) => steady.drop(key))
    Object.defineProperty(window, name, { configurable: true, value: steady })
  }
}

type BrowserStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>

/** A storage that holds by itself what the browser's does not take. */
export class SteadyStorage implements BrowserStorage {
  readonly #storage: BrowserStorage | undefined
  /** What was refused; null for what was removed. */
  readonly #held = new Map<string, string | null>()

  constructor(storage: BrowserStorage | undefined) {
    this.#storage = storage
  }

  get length(): number {
    return this.#keys().length
  }

  key(index: number): string | null {
    return this.#keys()[index] ?? null
  }

  getItem(key: string): string | null {
    const held = this.#held.get(key)
    return held === undefined ? (attempt(() => this.#storage?.getItem(key)) ?? null) : held
  }

  setItem(key: string, value: string): void {
    this.#change(key, value, (storage) => storage.setItem(key, value))
  }

  removeItem(key: string): void {
    this.#change(key, null, (storage) => storage.removeItem(key))
  }

  /** Forgets what is held of a key; of all of them for null. */
  drop(key: string | null): void {
    if (key === null) this.#held.clear()
    else this.#held.delete(key)
  }

  #change(key: string, value: string | null, change: (storage: BrowserStorage) => void): void {
    this.#held.set(key, value)
    attempt(() => {
      if (this.#storage === undefined) return
      change(this.#storage)
      // Some take everything and tell nothing.
      if (this.#storage.getItem(key) === value) this.#held.delete(key)
    })
  }

  #keys(): string[] {
    const kept = attempt(() => keysOf(this.#storage)) ?? []
    const held = [...this.#held].flatMap(([key, value]) => (value === null ? [] : [key]))
    return [...kept.filter((key) => !this.#held.has(key)), ...held]
  }
}

function keysOf(storage: BrowserStorage | undefined): string[] {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index))
  return keys.filter((key) => typeof key === 'string')
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
