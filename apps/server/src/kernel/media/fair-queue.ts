/**
 * A queue with one line per sender. Lines take turns: a sender with a hundred waiting items delays another sender by one
 * item.
 */
export class FairQueue<T> {
  /** Waiting items by sender, in the order of the senders' turns. No list is empty. */
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
