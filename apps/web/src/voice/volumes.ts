import { keepRecord, readRecord } from './voice-settings.ts'

const KEY = 'foyer.voice.volumes'
export const USUAL_VOLUME = 100
/** Percent; beyond 100 a voice is louder than it was sent. */
export const MAX_VOLUME = 200
/** More people are not remembered: those set the longest ago go first. */
const MAX_KEPT = 500

/** In percent by user id, of those who are not as loud as usual. */
export type Volumes = Readonly<Record<string, number>>

export function readVolumes(storage: Pick<Storage, 'getItem'>): Volumes {
  const kept = Object.entries(readRecord(storage, KEY))
  return Object.fromEntries(kept.filter((entry): entry is [string, number] => isVolume(entry[1])))
}

export function keepVolumes(storage: Pick<Storage, 'setItem'>, volumes: Volumes): void {
  keepRecord(storage, KEY, volumes)
}

/** The volumes with one person's set anew. */
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
