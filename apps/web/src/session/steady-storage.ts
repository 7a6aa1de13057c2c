/**
 * Replaces this page's `localStorage` and `sessionStorage` by versions that never fail. Browsers refuse writes when the
 * storage is full, and all access if the user blocks cookies. Values then last as long as the page.
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

/** A storage that holds values itself if the browser's storage does not take them. */
export class SteadyStorage implements BrowserStorage {
  readonly #storage: BrowserStorage | undefined
  /** Values that the browser refused, by key; null for a removed value. */
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

  /** Drops the held value of a key, or of all keys for null. */
  drop(key: string | null): void {
    if (key === null) this.#held.clear()
    else this.#held.delete(key)
  }

  #change(key: string, value: string | null, change: (storage: BrowserStorage) => void): void {
    this.#held.set(key, value)
    attempt(() => {
      if (this.#storage === undefined) return
      change(this.#storage)
      // Some storages ignore a write without an error.
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
