/** A growing list of integers. Pass the final capacity if it is known: growing copies the list, which takes time. */
export class Numbers {
  size = 0
  #values: Int32Array<ArrayBuffer>

  constructor(capacity: number) {
    this.#values = new Int32Array(Math.max(1, capacity))
  }

  push(value: number): void {
    if (this.size === this.#values.length) this.#grow()
    this.#values[this.size] = value
    this.size += 1
  }

  /** The numbers, without a copy. */
  toArray(): Int32Array {
    return this.#values.subarray(0, this.size)
  }

  #grow(): void {
    const values = new Int32Array(this.#values.length * 2)
    values.set(this.#values)
    this.#values = values
  }
}
