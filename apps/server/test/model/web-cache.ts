import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'

export interface CachedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Answers of an address by ETag, newest last. */
type Kept = Map<string, string>

const MAX_KEPT = 8
const MAX_ADDRESSES = 5000

/**
 * A cache in front of several processes: it keeps the answers to each address, and asks each time whether one of them
 * is still current.
 */
export class WebCache {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #kept = new Map<string, Kept>()
  /** Number of answers that a server confirmed to be current (304). */
  unchanged = 0

  async read(origin: string, path: string, takesBrotli = false): Promise<CachedAnswer> {
    const kept = this.#keptFor(path)
    const asking = request(new URL(path, origin), {
      agent: this.#agent,
      headers: {
        // All processes have one public address.
        host: 'foyer.example',
        'if-none-match': [...kept.keys()].join(', '),
        'accept-encoding': takesBrotli ? 'br' : 'identity',
      },
    }).end()
    const [answer]: IncomingMessage[] = await once(asking, 'response')
    if (answer === undefined) throw new Error('no answer')
    return this.#take(kept, answer, Buffer.concat(await answer.toArray()))
  }

  close(): void {
    this.#agent.destroy()
  }

  #keptFor(path: string): Kept {
    const kept = this.#kept.get(path) ?? new Map<string, string>()
    this.#kept.delete(path)
    this.#kept.set(path, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_ADDRESSES && oldest !== undefined) this.#kept.delete(oldest)
    return kept
  }

  #take(kept: Kept, { statusCode: status = 0, headers }: IncomingMessage, body: Buffer): CachedAnswer {
    const { etag } = headers
    if (status === 304) {
      const text = kept.get(etag ?? '')
      assert.ok(text !== undefined && etag !== undefined, `304 for an unknown ${etag}`)
      this.unchanged += 1
      return { status: 200, headers, text }
    }
    const text = String(headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body)
    if (etag !== undefined) keep(kept, etag, text)
    return { status, headers, text }
  }
}

function keep(kept: Kept, etag: string, text: string): void {
  kept.delete(etag)
  kept.set(etag, text)
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
}
