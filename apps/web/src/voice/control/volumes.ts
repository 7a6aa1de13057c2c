import { keepRecord, readRecord } from './voice-settings.ts'

const KEY = 'foyer.voice.volumes'
export const USUAL_VOLUME = 100
/** Maximum volume in percent. Above 100, a voice is louder than it was sent. */
export const MAX_VOLUME = 200
/** Maximum number of users with a stored volume. The oldest entries are dropped first. */
const MAX_KEPT = 500

/** Volumes in percent by user id, without users at the default volume. */
export type Volumes = Readonly<Record<string, number>>

export function readVolumes(storage: Pick<Storage, 'getItem'>): Volumes {
  const kept = Object.entries(readRecord(storage, KEY))
  return Object.fromEntries(kept.filter((entry): entry is [string, number] => isVolume(entry[1])))
}

export function keepVolumes(storage: Pick<Storage, 'setItem'>, volumes: Volumes): void {
  keepRecord(storage, KEY, volumes)
}

/** Returns the volumes with one user's volume changed. */
export function withVolume(volumes: Volumes, userId: string, percent: number): Volumes {
  const { [userId]: _, ...others } = volumes
  if (percent === USUAL_VOLUME) return others
  const kept = Object.entries(others).slice(1 - MAX_KEPT)
  return { ...Object.fromEntries(kept), [userId]: Math.min(MAX_VOLUME, Math.max(0, Math.round(percent))) }
}

export function volumeOf(volumes: Volumes, userId: string): number {
  return volumes[userId] ?? USUAL_VOLUME
}

function isVolume(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_VOLUME
}
