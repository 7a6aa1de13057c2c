import { VIDEO_SLOTS, type WatchedPicture } from '@foyer/protocol/voice'

interface Looks {
  /** Users whose streams are watched, in the order in which they were chosen. */
  readonly streams: readonly string[]
  /** Users whose cameras have a tile, in the order on the page. */
  readonly cameras: readonly string[]
  readonly speaking: ReadonlySet<string>
  /** Returns the height at which a picture is shown, in device pixels; 0 while it is hidden, undefined if it has no tile. */
  readonly heightOf: (picture: Pick<WatchedPicture, 'user_id' | 'source'>) => number | undefined
}

/**
 * Returns the pictures to receive: first the watched streams, then the visible cameras, largest first. If there are more visible
 * cameras than slots, users who speak come before the others. Hidden cameras keep the slots that are left.
 */
export function watchList({ streams, cameras, speaking, heightOf }: Looks): WatchedPicture[] {
  const room = Math.max(0, VIDEO_SLOTS - streams.length)
  const tiles = cameras.map((user_id) => sized({ user_id, source: 'camera' }, heightOf))
  const inSight = tiles.filter(({ height }) => height > 0)
  const isCrowded = inSight.length > room
  const isLoud = ({ user_id }: WatchedPicture) => isCrowded && speaking.has(user_id)
  const ranked = inSight.toSorted(
    (one, other) => Number(isLoud(other)) - Number(isLoud(one)) || other.height - one.height,
  )
  // A stream stays in the list while it is hidden, because its sound goes on.
  const chosen = streams.map((user_id) => sized({ user_id, source: 'screen' }, heightOf))
  return [...chosen, ...ranked, ...tiles.filter(({ height }) => height === 0)].slice(0, VIDEO_SLOTS)
}

function sized(picture: Pick<WatchedPicture, 'user_id' | 'source'>, heightOf: Looks['heightOf']) {
  return { ...picture, height: heightOf(picture) ?? 0 }
}
