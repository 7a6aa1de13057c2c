import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBytes } from '#src/kernel/http/bodies/body-bytes.ts'
import type { App } from '#src/kernel/http/types.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import { COPY_JOB } from './jobs.ts'
import { findCalled, noteCall, saveLease } from './queries.ts'
import { isSignedBy, openRemoteSecret } from './secrets.ts'

export interface CallbackDeps {
  database: Database
  sealer: Sealer
}

const MAX_CALL_BYTES = 512 * 1024
/** Bounds for the lease of a subscription. A hub may grant another time than requested. */
const MIN_LEASE_SECONDS = 60 * 60
const MAX_LEASE_SECONDS = 30 * 24 * 60 * 60
const DEFAULT_LEASE_SECONDS = 24 * 60 * 60

const config = { access: 'public', limits: ['followCallbacks'] } as const
const schema = { hide: true, params: Type.Object({ callbackId: Uuid() }) } as const
const path = '/api/follow-callbacks/:callbackId'

/** Routes that hubs of other servers call, by an id that only they know. */
export function callbackRoutes(app: App, deps: CallbackDeps): void {
  verifyRoute(app, deps)
  callRoute(app, deps)
}

/** Confirms that this server asked for the subscription (WebSub, section 5.3). */
function verifyRoute(app: App, deps: CallbackDeps): void {
  app.get(path, { config, schema }, async (request, reply) => {
    const query = new URL(request.url, 'http://localhost').searchParams
    const challenge = query.get('hub.challenge') ?? ''
    const isConfirmed = challenge !== '' && (await confirm(deps, request.params.callbackId, query))
    if (!isConfirmed) throw new ApiError('not_found')
    return reply
      .headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .serializer(String)
      .send(challenge)
  })
}

async function confirm(
  { database }: CallbackDeps,
  callbackId: string,
  query: URLSearchParams,
): Promise<boolean> {
  const [mode, feedUrl] = [query.get('hub.mode'), query.get('hub.topic') ?? '']
  if (mode === 'subscribe') return saveLease(database, { callbackId, feedUrl, seconds: leaseOf(query) })
  return mode === 'unsubscribe' && (await findCalled(database, callbackId)) === undefined
}

function leaseOf(query: URLSearchParams): number {
  const seconds = Number(query.get('hub.lease_seconds') ?? DEFAULT_LEASE_SECONDS)
  if (!Number.isFinite(seconds)) return DEFAULT_LEASE_SECONDS
  return Math.min(Math.max(seconds, MIN_LEASE_SECONDS), MAX_LEASE_SECONDS)
}

/**
 * Receives a hub's call after a change (WebSub, sections 7 and 8). Only the body's signature is checked: the feed
 * itself is fetched again.
 */
function callRoute(app: App, deps: CallbackDeps): void {
  app.post(path, { config, schema }, async (request, reply) => {
    const { callbackId } = request.params
    const follow = await findCalled(deps.database, callbackId)
    if (follow === undefined) return reply.code(410).send()
    if (Number(request.headers['content-length'] ?? 0) > MAX_CALL_BYTES) return reply.code(413).send()
    const bytes = await readBytes(request)
    const secret = openRemoteSecret(deps.sealer, follow.webhook_id, follow.secret)
    const signature = String(request.headers['x-hub-signature'] ?? '')
    if (secret !== undefined && bytes.length <= MAX_CALL_BYTES && isSignedBy(secret, bytes, signature))
      await deps.database.transaction(async (transaction) => {
        await noteCall(transaction, callbackId)
        await enqueueFirst(transaction, COPY_JOB, {})
      })
    return reply.code(202).send()
  })
}
