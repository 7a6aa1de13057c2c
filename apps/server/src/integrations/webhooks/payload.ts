/** Reads parts of another service's JSON. Missing or unexpected values count as empty. */
export class Payload {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  /** @param path keys separated by dots; empty for the whole value */
  at(path: string): Payload {
    if (path === '') return this
    let value = this.#value
    for (const key of path.split('.')) value = ownValue(value, key)
    return new Payload(value)
  }

  /** Returns a text, or a number as text; an empty text for any other value. */
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

  /** Returns at most `most` entries of a list; none if the value is not a list. */
  list(path: string, most: number): Payload[] {
    const value = this.at(path).#value
    return Array.isArray(value) ? value.slice(0, most).map((item) => new Payload(item)) : []
  }

  /** Returns the length of a list; 0 if the value is not a list. */
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
