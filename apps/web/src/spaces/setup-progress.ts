const KEY = 'foyer.welcome'
/** Maximum number of remembered spaces: the last ones created on this device. */
const MAX_SPACES = 10

/** Progress in setting up a space that was created on this device. */
export interface SetupProgress {
  readonly spaceId: string
  /** Rooms the space had at its creation. */
  readonly roomCount: number
  readonly hasInvited: boolean
}

/** Starts showing the setup steps in the space. */
export function startSetup(spaceId: string, roomCount: number): void {
  write([...read(), { spaceId, roomCount, hasInvited: false }])
}

export function setupProgress(spaceId: string): SetupProgress | undefined {
  return read().find((progress) => progress.spaceId === spaceId)
}

export function markInvited(spaceId: string): void {
  write(
    read().map((progress) => (progress.spaceId === spaceId ? { ...progress, hasInvited: true } : progress)),
  )
}

/** Stops showing the steps, because they are done or hidden. */
export function endSetup(spaceId: string): void {
  write(read().filter((progress) => progress.spaceId !== spaceId))
}

function read(): readonly SetupProgress[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isSetupProgress) : []
  } catch {
    return []
  }
}

function write(all: readonly SetupProgress[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all.slice(-MAX_SPACES)))
  } catch {
    // Storage is full or blocked: the progress is lost after a reload.
  }
}

function isSetupProgress(value: unknown): value is SetupProgress {
  if (typeof value !== 'object' || value === null) return false
  const progress: Partial<Record<keyof SetupProgress, unknown>> = value
  return (
    typeof progress.spaceId === 'string' &&
    typeof progress.roomCount === 'number' &&
    typeof progress.hasInvited === 'boolean'
  )
}
