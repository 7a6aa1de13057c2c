import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { startLog } from '#src/integrations/follows/log.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { findReadableRoom, type ReadableDeps } from '#src/web/web-pages/readable.ts'
import { type HubRequest, readHubRequest } from './hub-requests.ts'
import { deleteSubscription, hasPlace, hasSubscription, saveSubscription } from './subscriptions.ts'

/**
 * Subscribers verified simultaneously, per process. Bounded, because anyone can have the server send a request to any
 * host.
 */
const AT_ONCE = 20
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 4096

type Deps = ReadableDeps & {
  database: Database
  outgoing: Outgoing
  log: Pick<Logger, 'info'>
}

export interface HubAnswer {
  readonly status: number
  /** Text for a person who reads the answer. */
  readonly text: string
}

const accepted: HubAnswer = { status: 202, text: 'The callback will be asked.' }
const busy: HubAnswer = { status: 503, text: 'Too many subscribers at once. Try again in a minute.' }

/**
 * WebSub hub: takes subscriptions to feeds of announcement rooms, and verifies each with its subscriber before it
 * takes effect.
 */
export class Hub {
  readonly #deps: Deps
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @param origin public origin of this server */
  async receive(form: URLSearchParams, origin: string): Promise<HubAnswer> {
    const request = readHubRequest(form, origin)
    if (typeof request === 'string') return { status: 400, text: request }
    if (this.#running.size >= AT_ONCE || this.#closing.signal.aborted) return busy
    const checking = this.#refusalOf(request)
    const running = this.#verifyAfter(checking, request).finally(() => this.#running.delete(running))
    this.#running.add(running)
    return (await checking) ?? accepted
  }

  /** Aborts verifications in progress. Their subscribers ask again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  /** @returns undefined if the request must be verified with the subscriber */
  async #refusalOf(request: HubRequest): Promise<HubAnswer | undefined> {
    const { topic, callback } = request
    const { database, outgoing } = this.#deps
    if (request.mode === 'unsubscribe') {
      const isKnown = await hasSubscription(database, topic, callback)
      return isKnown ? undefined : { status: 404, text: 'There is no such subscription.' }
    }
    const room = await findReadableRoom(this.#deps, topic.spaceId, topic.roomId)
    if (room?.room.announces !== true)
      return { status: 404, text: 'There is no announcement room at this address.' }
    if (!(await hasPlace(database, request)))
      return { status: 503, text: 'The room has too many subscriptions.' }
    try {
      await outgoing.checkTarget(callback)
      return undefined
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return { status: 400, text: `hub.callback: ${error.message}` }
    }
  }

  async #verifyAfter(checking: Promise<HubAnswer | undefined>, request: HubRequest): Promise<void> {
    try {
      if ((await checking) === undefined && (await this.#isConfirmed(request))) await this.#save(request)
    } catch (error) {
      this.#deps.log.info({ err: error, host: request.callback.hostname }, 'a subscriber was not verified')
    }
  }

  /** Verifies the request with its subscriber: https://www.w3.org/TR/websub/#hub-verifies-intent. */
  async #isConfirmed({ mode, address, callback, leaseSeconds }: HubRequest): Promise<boolean> {
    const challenge = randomBytes(24).toString('base64url')
    const question = new URLSearchParams({
      'hub.mode': mode,
      'hub.topic': address,
      'hub.challenge': challenge,
    })
    if (mode === 'subscribe') question.set('hub.lease_seconds', String(leaseSeconds))
    const url = new URL(callback)
    url.search = url.search === '' ? `${question}` : `${url.search}&${question}`
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const { status, body } = await this.#deps.outgoing.send({
      ...{ method: 'GET', url, headers: askingFor('*/*'), signal },
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
    })
    const answer = await text(body)
    return status >= 200 && status < 300 && answer === challenge
  }

  async #save(request: HubRequest): Promise<void> {
    const { database } = this.#deps
    if (request.mode === 'unsubscribe') return deleteSubscription(database, request.topic, request.callback)
    if (await startLog(database, request.topic)) await saveSubscription(database, request)
  }
}
