import { setTimeout as delay } from 'node:timers/promises'
import { claimImages } from '#src/files/images/actions.ts'
import { type FetchDeps, fetchPicture } from '#src/files/images/fetching.ts'
import { keepOrDiscard } from '#src/files/objects/actions.ts'
import { growingLru } from '#src/kernel/cache.ts'
import { hashToken } from '#src/kernel/ids.ts'
import { keepPicture, useFetchedPicture } from './picture-store.ts'
import type { WebhookRow } from './queries.ts'

const FIT = { width: 256, height: 256 }
/** Longest wait of a post for a new picture. If it arrives later, only the next message shows it. */
const PATIENCE_MS = 2000
const FETCH_MS = 15_000
const FRESH_MS = 24 * 60 * 60 * 1000
const FAILURE_MS = 5 * 60 * 1000
const REMEMBERED_FAILURES = 10_000
const FETCHES_AT_ONCE = 16

/** Avatars that webhook messages set by URL. Each is fetched once and stored. */
export class WebhookPictures {
  readonly #deps: FetchDeps
  readonly #fetches = new Map<string, Promise<string | undefined>>()
  /** Time of the last failed fetch per URL. */
  readonly #failures = growingLru<number>(REMEMBERED_FAILURES)
  readonly #closing = new AbortController()

  constructor(deps: FetchDeps) {
    this.#deps = deps
  }

  /** Returns the attachment to show; undefined if the address has no picture or takes too long. */
  async find(webhook: WebhookRow, address: string): Promise<string | undefined> {
    const url = URL.parse(address)
    if (url === null) return undefined
    const urlHash = hashToken(url.href)
    const known = await useFetchedPicture(this.#deps.database, webhook, urlHash)
    if (known !== undefined && known.age_ms < FRESH_MS) return known.attachment_id
    return (await this.#fetchSoon(webhook, { url, urlHash })) ?? known?.attachment_id
  }

  /** Ends the fetches in progress and waits for them. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is shutting down'))
    await Promise.all(this.#fetches.values())
  }

  async #fetchSoon(webhook: WebhookRow, source: Source): Promise<string | undefined> {
    const fetched = this.#begin(webhook, source)
    if (fetched === undefined) return undefined
    const patience = new AbortController()
    const late = delay(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined)
    try {
      return await Promise.race([fetched, late])
    } finally {
      patience.abort()
    }
  }

  /** Returns undefined after a recent failure, and while too many other pictures are being fetched. */
  #begin(webhook: WebhookRow, source: Source): Promise<string | undefined> | undefined {
    const key = `${webhook.id} ${source.urlHash.toString('base64')}`
    const running = this.#fetches.get(key)
    if (running !== undefined) return running
    const failedAt = this.#failures.get(key) ?? 0
    const isBusy = this.#fetches.size >= FETCHES_AT_ONCE || this.#closing.signal.aborted
    if (isBusy || Date.now() - failedAt < FAILURE_MS) return undefined
    const fetched = this.#fetch(webhook, source)
      .catch(() => {
        this.#failures.set(key, Date.now())
        return undefined
      })
      .finally(() => this.#fetches.delete(key))
    this.#fetches.set(key, fetched)
    return fetched
  }

  async #fetch(webhook: WebhookRow, { url, urlHash }: Source): Promise<string> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(FETCH_MS)])
    const home = { tenantId: webhook.space_id, ownerId: webhook.id, purpose: 'avatar', fit: FIT } as const
    const file = await fetchPicture(this.#deps, home, url, signal)
    return keepOrDiscard(this.#deps, [file], () =>
      this.#deps.database.transaction(async (transaction) => {
        await claimImages(transaction, webhook.space_id, [file.id])
        await keepPicture(transaction, webhook, { attachmentId: file.id, urlHash })
        return file.id
      }),
    )
  }
}

interface Source {
  url: URL
  urlHash: Buffer
}
