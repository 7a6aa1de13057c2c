import { VIDEO_SLOTS, type WatchedPicture } from '@foyer/protocol/voice'

interface Looks {
  /** Users whose streams are watched, in the order in which they were chosen. */
  readonly streams: readonly string[]
  /** Users whose cameras are in sight, in the order on the page. */
  readonly cameras: readonly string[]
  readonly speaking: ReadonlySet<string>
}

/** Chosen streams come first, then the cameras in sight. If these are too many, users who speak are preferred. */
export function watchList({ streams, cameras, speaking }: Looks): WatchedPicture[] {
  const room = Math.max(0, VIDEO_SLOTS - streams.length)
  const isCrowded = cameras.length > room
  const loud = isCrowded ? cameras.filter((id) => speaking.has(id)) : []
  const quiet = cameras.filter((id) => !loud.includes(id))
  return [
    ...streams.map((user_id) => ({ user_id, source: 'screen' as const })),
    ...[...loud, ...quiet].map((user_id) => ({ user_id, source: 'camera' as const })),
  ].slice(0, VIDEO_SLOTS)
}
