import type { Volumes } from '../control/volumes.ts'

const PREFIX = 'stream:'

/** Returns the key under which the volume of a user's stream is kept among the volumes of voices. */
export function streamVolumeKey(userId: string): string {
  return PREFIX + userId
}

/** Returns the volumes of streams by user id. */
export function volumesOfStreams(volumes: Volumes): Volumes {
  const streams = Object.entries(volumes).filter(([key]) => key.startsWith(PREFIX))
  return Object.fromEntries(streams.map(([key, volume]) => [key.slice(PREFIX.length), volume]))
}
