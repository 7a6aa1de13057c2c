import type { WatchedPicture } from '@foyer/protocol/voice'

type Picture = Pick<WatchedPicture, 'user_id' | 'source'>

/** Usual heights of simulcast layers. A change of size between two of them does not require another layer. */
const STEPS = [90, 120, 180, 240, 270, 360, 480, 540, 720, 1080, 1440, 2160, 4320]
/** Factor by which a picture can be enlarged without users noticing. */
const ENLARGED = 1.1

/** Returns the height of the layer that fills a tile of this height, in device pixels; 0 for a hidden tile. */
export function layerHeight(pixels: number): number {
  if (pixels <= 0) return 0
  return STEPS.find((step) => step * ENLARGED >= pixels) ?? 4320
}

/** The height at which each picture is shown: in its tile, in the picture-in-picture window, or in both. */
export class ShownHeights {
  readonly #pictures = new Map<string, Map<object, number>>()

  /**
   * Sets the height of a picture in one view.
   * @param place any object that identifies the view
   * @param height device pixels, 0 while the picture is hidden; null if the view no longer exists
   * @returns how the needed layer changed: `size` if its height changed, `sight` if the picture became visible or hidden
   */
  set(picture: Picture, place: object, height: number | null): 'none' | 'size' | 'sight' {
    const key = keyOf(picture)
    const before = this.of(picture)
    const places = this.#pictures.get(key) ?? new Map<object, number>()
    if (height === null) places.delete(place)
    else places.set(place, layerHeight(height))
    if (places.size === 0) this.#pictures.delete(key)
    else this.#pictures.set(key, places)
    const after = this.of(picture)
    if (before === after) return 'none'
    return before && after ? 'size' : 'sight'
  }

  /** Returns the greatest layer height that a view of the picture needs; 0 while all are hidden, undefined if it has no view. */
  of(picture: Picture): number | undefined {
    const places = this.#pictures.get(keyOf(picture))
    return places === undefined ? undefined : Math.max(...places.values())
  }

  /** Users whose cameras have a view, in the order on the page. */
  get cameras(): string[] {
    return [...this.#pictures.keys()].flatMap((key) => {
      const [source, userId = ''] = key.split(' ')
      return source === 'camera' ? [userId] : []
    })
  }

  clear(): void {
    this.#pictures.clear()
  }
}

function keyOf({ source, user_id }: Picture): string {
  return `${source} ${user_id}`
}
