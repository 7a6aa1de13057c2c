import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'

/** Returns the outgoing bytes, reporting each piece to the timeout. */
export function watchedBody(body: Readable, progressed: () => void): Readable {
  const watched = new Transform({
    transform(chunk, _encoding, done) {
      progressed()
      done(null, chunk)
    },
  })
  pipeline(body, watched, () => {})
  return watched
}

interface Bounds {
  maxBytes: number
  tooLarge: () => Error
  /** Translates an error of the stream. */
  translate: (error: Error) => Error
}

/** Returns the incoming bytes, up to the largest size. Destroying it ends the request. */
export function boundedBody(body: Readable, bounds: Bounds): Readable {
  const bounded = new BoundedBody(bounds)
  pipeline(body, bounded, () => {})
  return bounded
}

class BoundedBody extends Transform {
  readonly #bounds: Bounds
  #taken = 0

  constructor(bounds: Bounds) {
    super()
    this.#bounds = bounds
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#taken += chunk.length
    if (this.#taken > this.#bounds.maxBytes) done(this.#bounds.tooLarge())
    else done(null, chunk)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error === null ? null : this.#bounds.translate(error))
  }
}
