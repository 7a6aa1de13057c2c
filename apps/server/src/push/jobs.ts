import { setImmediate as nextTurn } from 'node:timers/promises'
import { CALL_RING_SECONDS } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import { Parse } from 'typebox/value'
import type { JobContext, JobTable } from '#src/kernel/jobs.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { forgetGone, noteFailed } from './actions.ts'
import {
  enqueueNextPage,
  enqueueRetries,
  enqueueSending,
  FindPayload,
  isFirstPage,
  nameOf,
  SendPayload,
} from './enqueueing.ts'
import { isKnownService } from './hosts.ts'
import { PUSH_LANES } from './lanes.ts'
import type { Outcome } from './outcome.ts'
import { type PayloadDeps, type Wording, wordingOf } from './payload.ts'
import { chooseRecipients, listPage, type Recipient, type RecipientDeps } from './recipients.ts'
import { type SenderDeps, sendPush } from './sender.ts'
import type { SenderLimits } from './sender-limits.ts'
import { findSubject, type Subject } from './subjects.ts'
import {
  clearFailures,
  listSubscriptions,
  listSubscriptionsOf,
  type Subscription,
} from './subscription-queries.ts'

export type PushJobDeps = RecipientDeps &
  Omit<PayloadDeps, 'database'> &
  SenderDeps & {
    log: Logger
    metrics: Metrics
    pushLimits: SenderLimits
    /** Aborted when the server stops. */
    pushClosing: AbortSignal
  }

/** One worker per lane, and one for finding recipients, so that finding never waits for push services. */
export const PUSH_CONCURRENCY = PUSH_LANES + 1
const PAGE = 1000
/** Delays after failed attempts, unless the push service asks for more. */
const RETRY_SECONDS = [15, 60, 300]
const MESSAGE_TTL_SECONDS = 3 * 24 * 60 * 60

/** Jobs that find the recipients of a message, a call or a raid, and that send the pushes to their browsers. */
export function pushJobs(deps: PushJobDeps): JobTable {
  return {
    handlers: {
      find_push_recipients: (payload) => find(deps, Parse(FindPayload, payload)),
      send_pushes: (payload, context) => send(deps, Parse(SendPayload, payload), context),
    },
    schedule: [],
  }
}

async function find(deps: PushJobDeps, payload: FindPayload): Promise<void> {
  const { database } = deps
  const subject = await findSubject(database, nameOf(payload))
  if (subject === undefined) return
  const isFirst = isFirstPage(payload)
  if (isFirst && deps.pushLimits.isReached(subject)) return
  const userIds = await listPage(deps, subject, { after: payload.after, limit: PAGE })
  const recipients = await chooseRecipients(deps, subject, userIds)
  const subscriptions = await listSubscriptionsOf(
    database,
    recipients.map(({ userId }) => userId),
  )
  const messageId = subject.type === 'message' ? subject.row.id : null
  const name = { type: subject.type, place: subject.place, messageId }
  await enqueueSending(database, name, subscriptions, isFirst)
  const isLimitReached = deps.pushLimits.count(subject, subscriptions.length)
  if (isLimitReached)
    deps.log.info({ user: subject.authorId }, 'a sender reached the limit of pushes per minute')
  const last = userIds.length === PAGE ? userIds.at(-1) : undefined
  if (last !== undefined) await enqueueNextPage(database, name, last)
}

async function send(deps: PushJobDeps, payload: SendPayload, context?: JobContext): Promise<void> {
  const subject = await findSubject(deps.database, nameOf(payload))
  if (subject === undefined) return
  const subscriptions = await listSubscriptions(deps.database, payload.subscription_ids)
  const userIds = new Set(subscriptions.map(({ user_id }) => user_id))
  const recipients = await chooseRecipients(deps, subject, [...userIds])
  const wording = recipients.length > 0 ? await wordingOf(deps, subject) : undefined
  if (wording === undefined) return
  const closing = context?.abortSignal
    ? AbortSignal.any([context.abortSignal, deps.pushClosing])
    : deps.pushClosing
  const recipientOf = new Map(recipients.map((recipient) => [recipient.userId, recipient]))
  let turn: Promise<unknown> = Promise.resolve()
  const sent = await Promise.all(
    subscriptions.flatMap((subscription) => {
      const recipient = recipientOf.get(subscription.user_id)
      if (recipient === undefined) return []
      // Encryption takes about a millisecond, so the process yields to other work in between.
      turn = turn.then(() => nextTurn())
      return [turn.then(() => sendTo(deps, subscription, { subject, recipient, wording, closing }))]
    }),
  )
  await settle(deps, payload, sent)
}

interface Sending {
  subject: Subject
  recipient: Recipient
  wording: Wording
  closing: AbortSignal
}

interface Sent {
  subscription: Subscription
  outcome: Outcome
}

async function sendTo(
  deps: PushJobDeps,
  subscription: Subscription,
  { subject, recipient, wording, closing }: Sending,
): Promise<Sent> {
  const { type, place } = subject
  const ttlSeconds = type === 'call' ? CALL_RING_SECONDS : MESSAGE_TTL_SECONDS
  const push = { text: wording(recipient), tag: `${type} ${place.channelId}`, ttlSeconds }
  return { subscription, outcome: await sendPush(deps, subscription, push, closing) }
}

async function settle(deps: PushJobDeps, payload: SendPayload, sent: readonly Sent[]): Promise<void> {
  for (const one of sent) note(deps, one)
  const backoff = RETRY_SECONDS[payload.attempt]
  const isTriedAgain = (one: Sent) => backoff !== undefined && isWorthRetry(deps, one)
  const [gone, failed, recovered] = [
    sent.filter(({ outcome }) => outcome.kind === 'gone'),
    sent.filter((one) => hasFailed(one) && !isTriedAgain(one)),
    sent.filter(({ subscription, outcome }) => outcome.kind === 'sent' && subscription.failures > 0),
  ].map((some) => some.map(({ subscription }) => subscription))
  if (gone?.length) await forgetGone(deps, gone)
  if (failed?.length) await noteFailed(deps, failed)
  if (recovered?.length)
    await clearFailures(
      deps.database,
      recovered.map(({ id }) => id),
    )
  if (backoff !== undefined) await tryAgain(deps, payload, sent.filter(isTriedAgain), backoff)
}

/** Does not retry a host that left several requests in a row unanswered. */
function isWorthRetry({ pushHosts }: PushJobDeps, { subscription, outcome }: Sent): boolean {
  return (
    outcome.kind === 'later' || (outcome.kind === 'unanswered' && !pushHosts.isShut(hostOf(subscription)))
  )
}

/**
 * Returns true for a failure that counts against the subscription. Known push services report deleted subscriptions, so
 * their other failures come from the network or this server, and do not count.
 */
function hasFailed({ subscription, outcome }: Sent): boolean {
  const isFailure = outcome.kind !== 'sent' && outcome.kind !== 'gone'
  return isFailure && !isKnownService(hostOf(subscription))
}

async function tryAgain(
  { database }: PushJobDeps,
  payload: SendPayload,
  waiting: readonly Sent[],
  backoff: number,
): Promise<void> {
  // One push service's delay must not affect the others.
  const groups = Map.groupBy(waiting, ({ subscription }) => new URL(subscription.endpoint).origin)
  await enqueueRetries(
    database,
    payload,
    [...groups.values()].map((group) => ({
      subscriptions: group.map(({ subscription }) => subscription),
      delaySeconds: Math.max(backoff, ...group.map(({ outcome }) => secondsAsked(outcome))),
    })),
  )
}

function secondsAsked(outcome: Outcome): number {
  return outcome.kind === 'later' ? outcome.afterSeconds : 0
}

function hostOf({ endpoint }: Pick<Subscription, 'endpoint'>): string {
  return new URL(endpoint).hostname
}

/** Counts the outcome of a push. Logs a refusal with the host of the push service, but without the user. */
function note({ log, metrics }: PushJobDeps, { subscription, outcome }: Sent): void {
  metrics.pushes.inc({ outcome: outcome.kind })
  if (outcome.kind !== 'refused') return
  const host = hostOf(subscription)
  log.warn({ host, status: outcome.status }, 'a push service refused a push')
}
