import type { Database } from '#src/kernel/database/database.ts'
import { hashToken } from '#src/kernel/ids.ts'
import { HostSlots } from '#src/kernel/outgoing/host-slots.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { findPreview, savePreview } from './cache-queries.ts'
import { Pages } from './pages.ts'
import { type Unfurled, unfurl } from './unfurling.ts'

const UNFURL_MS = 8000
const KEPT_SECONDS: Readonly<Record<Unfurled['kind'], number>> = {
  embed: 30 * 60,
  nothing: 5 * 60,
  trouble: 45,
}

interface PreviewerDeps {
  database: Database
  outgoing: Outgoing
}

/** Makes previews of links, and caches the result for a while for all messages. */
export class Previewer {
  readonly #deps: PreviewerDeps & { pages: Pages }
  readonly #running = new Map<string, Promise<Unfurled>>()
  readonly #hosts = new HostSlots()
  readonly #closing = new AbortController()

  constructor({ database, outgoing }: PreviewerDeps) {
    this.#deps = { database, outgoing, pages: new Pages() }
  }

  /** Aborted when the server stops. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** @throws the reason of `closing` */
  find(link: string): Promise<Unfurled> {
    const running = this.#running.get(link)
    if (running !== undefined) return running
    const found = this.#find(link).finally(() => this.#running.delete(link))
    this.#running.set(link, found)
    return found
  }

  /** Ends requests in progress. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is shutting down'))
    await Promise.allSettled(this.#running.values())
    this.#deps.pages.close()
  }

  async #find(link: string): Promise<Unfurled> {
    const { database } = this.#deps
    const urlHash = hashToken(link)
    const known = await findPreview(database, urlHash)
    if (known !== undefined) return known
    const unfurled = await this.#unfurl(link)
    await savePreview(database, urlHash, { unfurled, keptSeconds: KEPT_SECONDS[unfurled.kind] })
    return unfurled
  }

  async #unfurl(link: string): Promise<Unfurled> {
    // Started before the time limit begins, because starting a process may take longer than that on a busy machine.
    await this.#deps.pages.warm(this.#closing.signal)
    const late = AbortSignal.timeout(UNFURL_MS)
    const signal = AbortSignal.any([late, this.#closing.signal])
    try {
      const { hostname } = new URL(link)
      return await this.#hosts.run(hostname, signal, () => unfurl(this.#deps, link, signal))
    } catch (error) {
      this.#closing.signal.throwIfAborted()
      if (late.aborted) return { kind: 'trouble' }
      throw error
    }
  }
}
