/** JSON in the shape of another service, of which only parts are looked at: whatever is not there, or not so, is nothing. */
export class Payload {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  /** @param path keys with dots between them; empty for the whole */
  at(path: string): Payload {
    if (path === '') return this
    let value = this.#value
    for (const key of path.split('.')) value = ownValue(value, key)
    return new Payload(value)
  }

  /** A text or a number as text; empty where there is none. */
  text(path: string): string {
    const value = this.at(path).#value
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }

  number(path: string): number | undefined {
    const value = this.at(path).#value
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  }

  isTrue(path: string): boolean {
    return this.at(path).#value === true
  }

  /** At most so many of a list; none where there is no list. */
  list(path: string, most: number): Payload[] {
    const value = this.at(path).#value
    return Array.isArray(value) ? value.slice(0, most).map((item) => new Payload(item)) : []
  }

  /** How long the list is. */
  count(path: string): number {
    const value = this.at(path).#value
    return Array.isArray(value) ? value.length : 0
  }
}

function ownValue(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}
