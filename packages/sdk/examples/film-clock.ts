import { setTimeout as pause } from 'node:timers/promises'

/**
 * A frame that is this late ends a pause: the film goes on from there, without a burst. The SDK resets the time of sounds after
 * 60 ms; a longer limit would let picture and sound drift apart.
 */
const MAX_LATE_MS = 50

/** The system's parts in use, which tests replace. */
export interface FilmTime {
  /** A clock that never jumps. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

const systemTime: FilmTime = { now: () => performance.now(), wait: (ms) => pause(ms) }

/** The time of a film that plays, by the times in its file. All its tracks share one clock, so that they pause together. */
export class FilmClock {
  readonly #time: FilmTime
  readonly #beganAt: number
  /** When the film would have begun without its pauses. */
  #startedAt: number

  /** @param startMs time of the first frame in the file */
  constructor(startMs: number, time = systemTime) {
    this.#time = time
    this.#beganAt = time.now() - startMs
    this.#startedAt = this.#beganAt
  }

  /**
   * Waits until the time of a frame.
   * @returns its time with all pauses before it
   */
  async reach(atMs: number): Promise<number> {
    for (let leftMs = this.#leftUntil(atMs); leftMs > 0; leftMs = this.#leftUntil(atMs))
      await this.#time.wait(leftMs)
    const lateMs = -this.#leftUntil(atMs)
    if (lateMs > MAX_LATE_MS) this.#startedAt += lateMs
    return this.#startedAt - this.#beganAt + atMs
  }

  #leftUntil(atMs: number): number {
    return this.#startedAt + atMs - this.#time.now()
  }
}

/** Sends one frame after the other, each at its time in the file. @returns how many were sent */
export async function play<Frame extends { readonly atMs: number }>(
  frames: readonly Frame[],
  clock: FilmClock,
  send: (frame: Frame, atMs: number) => Promise<boolean>,
): Promise<number> {
  const sent: Promise<boolean>[] = []
  // Not awaited one by one: a frame that takes long to send must not delay the next ones.
  for (const frame of frames) sent.push(send(frame, await clock.reach(frame.atMs)))
  return (await Promise.all(sent)).filter((isSent) => isSent).length
}
