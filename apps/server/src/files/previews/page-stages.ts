import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** The bytes of a page that have arrived. */
export interface Stage {
  bytes: Buffer
  /** True at the end of the page. */
  isEnd: boolean
}

/** Sizes at which a growing page is parsed. Most heads are within the first. */
const SIZES = [64 * 1024, 512 * 1024]
/** Interval at which a slow page is parsed, since its head may be complete. */
const LOOK_MS = 300
/** Maximum times that a slow page is parsed at intervals. */
const MAX_LOOKS = 8

/**
 * Yields the beginning of a page whenever parsing may succeed: at intervals while it arrives, at 64 KiB, at 512 KiB,
 * and at its end or where the download is interrupted.
 * @throws an error of reading for which `isFatal` is true
 */
export async function* stagesOf(body: Readable, isFatal: (error: unknown) => boolean): AsyncGenerator<Stage> {
  const arrivals = new Arrivals(body, isFatal)
  let looks = 0
  let seen = 0
  for (;;) {
    const event = await arrivals.next(arrivals.size > seen && looks < MAX_LOOKS)
    const isEnd = event === 'end' || arrivals.size >= (SIZES.at(-1) ?? 0)
    const isLook = isEnd || event === 'look' || SIZES.some((size) => seen < size && arrivals.size >= size)
    if (!isLook) continue
    if (event === 'look') looks += 1
    seen = arrivals.size
    yield { bytes: arrivals.bytes, isEnd }
    if (isEnd) return
  }
}

class Arrivals {
  readonly #reading: AsyncIterator<Buffer>
  readonly #isFatal: (error: unknown) => boolean
  readonly #chunks: Buffer[] = []
  #pending: Promise<'chunk' | 'end'> | undefined
  #look: Promise<'look'> | undefined
  size = 0

  constructor(body: Readable, isFatal: (error: unknown) => boolean) {
    this.#reading = body[Symbol.asyncIterator]()
    this.#isFatal = isFatal
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  /** @param isNew true if there are bytes that were not parsed */
  async next(isNew: boolean): Promise<'chunk' | 'end' | 'look'> {
    this.#pending ??= this.#take()
    if (isNew) this.#look ??= setTimeout<'look'>(LOOK_MS, 'look', { ref: false })
    const event = await Promise.race([this.#pending, ...(isNew && this.#look ? [this.#look] : [])])
    if (event === 'look') this.#look = undefined
    else this.#pending = undefined
    return event
  }

  async #take(): Promise<'chunk' | 'end'> {
    try {
      const { done, value } = await this.#reading.next()
      if (done === true) return 'end'
      this.#chunks.push(value)
      this.size += value.length
      return 'chunk'
    } catch (error) {
      if (this.#isFatal(error)) throw error
      return 'end'
    }
  }
}
