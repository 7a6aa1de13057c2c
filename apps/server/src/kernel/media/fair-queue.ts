/** Those who wait, in lines of one sender each. The lines take turns: who has a hundred waiting delays another by one. */
export class FairQueue<T> {
  /** The line whose turn it is comes first; none is empty. */
  readonly #lines = new Map<string, T[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  push(sender: string, waiting: T): void {
    const line = this.#lines.get(sender)
    if (line === undefined) this.#lines.set(sender, [waiting])
    else line.push(waiting)
    this.#length += 1
  }

  shift(): T | undefined {
    const [first] = this.#lines
    if (first === undefined) return undefined
    const [sender, line] = first
    this.#lines.delete(sender)
    const waiting = line.shift()
    if (line.length > 0) this.#lines.set(sender, line)
    this.#length -= 1
    return waiting
  }
}
