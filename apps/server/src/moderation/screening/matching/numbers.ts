/** A list of integers. Its capacity is best known at the beginning: to grow, it copies itself, which takes time. */
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
