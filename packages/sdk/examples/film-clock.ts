import { setTimeout as pause } from 'node:timers/promises'

/**
 * Delay from which a late frame counts as the end of a pause: the film continues from it, without a burst. The SDK resets the
 * time of sounds after 60 ms; a longer limit here would let picture and sound drift apart.
 */
const MAX_LATE_MS = 50

/** Clock and timer of the system, which tests replace. */
export interface FilmTime {
  /** Time of a monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

const systemTime: FilmTime = { now: () => performance.now(), wait: (ms) => pause(ms) }

/** Clock of a film that is playing, by the times in its file. All tracks share one clock, so that they pause together. */
export class FilmClock {
  readonly #time: FilmTime
  readonly #beganAt: number
  /** Clock time at which the film began, shifted by the length of all pauses so far. */
  #startedAt: number

  /** @param startMs time of the first frame in the file */
  constructor(startMs: number, time = systemTime) {
    this.#time = time
    this.#beganAt = time.now() - startMs
    this.#startedAt = this.#beganAt
  }

  /**
   * Waits until the time of a frame.
   * @returns the time in the file plus all pauses before the frame
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
  // Sends are not awaited one by one: a frame that takes long to send must not delay the next frames.
  for (const frame of frames) sent.push(send(frame, await clock.reach(frame.atMs)))
  return (await Promise.all(sent)).filter((isSent) => isSent).length
}
