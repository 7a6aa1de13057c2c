const FIRST_MS = 5000
const LONGEST_MS = 60_000
/** If a hold ended longer ago than this, the next one is as short as the first. */
const FORGOTTEN_MS = 30_000

/**
 * Keeps a slot off a layer that the viewer's link could not carry. Every change of layer needs a key frame, which all viewers
 * receive. Without a hold, a viewer whose link is near the rate of a layer would cause a key frame every few seconds.
 */
export class LayerHold {
  #below = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY
  #heldMs = FIRST_MS

  /** @param height the height in pixels of the layer that the link could not carry */
  begin(height: number, nowMs: number): void {
    const isNew = nowMs - this.#until > FORGOTTEN_MS
    this.#heldMs = isNew ? FIRST_MS : Math.min(LONGEST_MS, 2 * this.#heldMs)
    this.#below = height
    this.#until = nowMs + this.#heldMs
  }

  end(): void {
    this.#until = Number.NEGATIVE_INFINITY
  }

  permits(height: number, nowMs: number): boolean {
    return nowMs >= this.#until || height < this.#below
  }
}
