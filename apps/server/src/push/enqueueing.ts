import { LEAST_ID } from '@foyer/protocol/ids'
import { type Static, Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueMany, type KeyedJob } from '#src/kernel/jobs.ts'
import { laneOf } from './lanes.ts'
import type { SubjectName } from './subjects.ts'
import type { Subscription } from './subscription-queries.ts'

const NamedSubject = {
  type: Type.Unsafe<SubjectName['type']>({ type: 'string', enum: ['message', 'call', 'raid', 'newest'] }),
  tenant_id: Type.String(),
  channel_id: Type.String(),
  message_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
}

export const FindPayload = Type.Object({ ...NamedSubject, after: Type.String() })
export type FindPayload = Static<typeof FindPayload>

export const SendPayload = Type.Object({
  ...NamedSubject,
  subscription_ids: Type.Array(Type.String()),
  attempt: Type.Integer(),
})
export type SendPayload = Static<typeof SendPayload>

/** Maximum pushes per job. They are sent at the same time. */
const SENT_AT_ONCE = 50
/**
 * Priority of jobs for later pages of recipients and for retries. Smaller numbers run first, so a message to a few users
 * does not wait for a message to thousands.
 */
const LATER_PAGES = 10

export function payloadOf({ type, place, messageId }: SubjectName) {
  return { type, tenant_id: place.tenantId, channel_id: place.channelId, message_id: messageId }
}

export function nameOf({
  type,
  tenant_id,
  channel_id,
  message_id,
}: Pick<FindPayload, 'type' | 'tenant_id' | 'channel_id' | 'message_id'>): SubjectName {
  return { type, place: { tenantId: tenant_id, channelId: channel_id }, messageId: message_id }
}

/** Enqueues the job that finds recipients, after a delay in which they may read the message. */
export async function enqueueFinding(
  database: Database,
  named: readonly { name: SubjectName; delaySeconds: number }[],
): Promise<void> {
  const jobs = named.map(({ name, delaySeconds }) => ({
    payload: { ...payloadOf(name), after: LEAST_ID },
    key: findingKey(name),
    queue: null,
    delaySeconds,
    priority: 0,
  }))
  await enqueueMany(database, 'find_push_recipients', jobs)
}

/** Enqueues the next page of recipients. */
export async function enqueueNextPage(database: Database, name: SubjectName, after: string): Promise<void> {
  const payload = { ...payloadOf(name), after }
  const key = `${findingKey(name)} ${after}`
  const job = { payload, key, queue: null, delaySeconds: 0, priority: LATER_PAGES }
  await enqueueMany(database, 'find_push_recipients', [job])
}

export async function enqueueSending(
  database: Database,
  name: SubjectName,
  subscriptions: readonly Pick<Subscription, 'id' | 'user_id' | 'endpoint'>[],
  isFirstPage: boolean,
): Promise<void> {
  const lanes = Map.groupBy(subscriptions, laneOf)
  const jobs = [...lanes].flatMap(([queue, waiting]) => {
    const ids = waiting.map(({ id }) => id)
    const priority = isFirstPage ? 0 : LATER_PAGES
    return inParts(ids).map((part) =>
      sendingJob({ ...payloadOf(name), subscription_ids: part, attempt: 0 }, { queue, priority }),
    )
  })
  if (jobs.length > 0) await enqueueMany(database, 'send_pushes', jobs)
}

/** Enqueues the failed pushes of a job, in groups with the same delay. */
export async function enqueueRetries(
  database: Database,
  before: SendPayload,
  groups: readonly { subscriptions: readonly Subscription[]; delaySeconds: number }[],
): Promise<void> {
  const jobs = groups.flatMap(({ subscriptions: [first, ...others], delaySeconds }) => {
    if (first === undefined) return []
    const subscription_ids = [first, ...others].map(({ id }) => id)
    const payload = { ...before, subscription_ids, attempt: before.attempt + 1 }
    return [sendingJob(payload, { queue: laneOf(first), priority: LATER_PAGES, delaySeconds })]
  })
  if (jobs.length > 0) await enqueueMany(database, 'send_pushes', jobs)
}

export function isFirstPage({ after }: FindPayload): boolean {
  return after === LEAST_ID
}

function findingKey({ type, place, messageId }: SubjectName): string {
  return `push ${type} ${type === 'message' ? messageId : place.channelId}`
}

function sendingJob(
  payload: SendPayload,
  { queue, priority, delaySeconds = 0 }: { queue: string; priority: number; delaySeconds?: number },
): KeyedJob {
  const about = payload.message_id ?? payload.channel_id
  const key = `push to ${payload.subscription_ids[0]} of ${about} ${payload.attempt}`
  return { payload, key, queue, delaySeconds, priority }
}

function inParts(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / SENT_AT_ONCE)
  return Array.from({ length: count }, (_, at) => ids.slice(at * SENT_AT_ONCE, (at + 1) * SENT_AT_ONCE))
}
