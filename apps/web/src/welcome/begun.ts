const KEY = 'foyer.welcome'
/** Of the spaces that were made on this device, the last. */
const MAX_SPACES = 10

/** How far somebody came with a space that they made on this device. */
export interface Begun {
  readonly spaceId: string
  /** How many rooms it had in the beginning. */
  readonly roomCount: number
  readonly hasInvited: boolean
}

/** From now on the space shows what to do next. */
export function beginSpace(spaceId: string, roomCount: number): void {
  write([...read(), { spaceId, roomCount, hasInvited: false }])
}

export function begunSpace(spaceId: string): Begun | undefined {
  return read().find((begun) => begun.spaceId === spaceId)
}

export function noteInvited(spaceId: string): void {
  write(read().map((begun) => (begun.spaceId === spaceId ? { ...begun, hasInvited: true } : begun)))
}

/** All is done, or nobody wants to be told. */
export function endBegun(spaceId: string): void {
  write(read().filter((begun) => begun.spaceId !== spaceId))
}

function read(): readonly Begun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isBegun) : []
  } catch {
    return []
  }
}

function write(all: readonly Begun[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_SPACES)))
  } catch {
    // Full, or withheld: then nothing is shown after a reload.
  }
}

function isBegun(value: unknown): value is Begun {
  if (typeof value !== 'object' || value === null) return false
  const begun: Partial<Record<keyof Begun, unknown>> = value
  return (
    typeof begun.spaceId === 'string' &&
    typeof begun.roomCount === 'number' &&
    typeof begun.hasInvited === 'boolean'
  )
}
