import { idTime } from '../ids.ts'

/** Journal ids of events that were received recently. */
export class RecentIds {
  /** In order of arrival, which is nearly the order of their times. */
  readonly #ids = new Set<string>()

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
  }

  /** @param time milliseconds since 1970 */
  forgetBefore(time: number): void {
    for (const id of this.#ids) {
      if (idTime(id) >= time) return
      this.#ids.delete(id)
    }
  }
}
