import type { ServerResponse } from 'node:http'
import { ApiError } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'

/** Maximum streams, in total and per address. A page of players opens a few, far fewer than the limit. */
const MAX_STREAMS = 256
const MAX_STREAMS_OF_ONE = 24
/** Share of the free streams that one address may take, so that few addresses cannot take all. */
const PART_OF_FREE = 1 / 4
/** Maximum duration of a stream. After that, the player requests the rest. */
const MAX_STREAM_MS = 60 * 60 * 1000

/** Tracks the streams that the server is proxying. */
export class ProxyStreams {
  readonly #byAddress = new Map<string, number>()
  #count = 0

  /**
   * Counts a stream until its response ends.
   * @returns a signal aborted when the client disconnects, or at the time limit
   * @throws ApiError 503 with too many streams
   */
  enter(address: string, response: ServerResponse): AbortSignal {
    const network = networkOf(address)
    const own = this.#byAddress.get(network) ?? 0
    const free = MAX_STREAMS - this.#count
    if (own >= Math.min(MAX_STREAMS_OF_ONE, free * PART_OF_FREE)) throw new ApiError('unavailable')
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(new ApiError('timeout')), MAX_STREAM_MS)
    this.#change(network, 1)
    response.once('close', () => {
      clearTimeout(timer)
      this.#change(network, -1)
      ended.abort(new ApiError('media_unreachable'))
    })
    return ended.signal
  }

  #change(network: string, by: number): void {
    this.#count += by
    const own = (this.#byAddress.get(network) ?? 0) + by
    if (own === 0) this.#byAddress.delete(network)
    else this.#byAddress.set(network, own)
  }
}
