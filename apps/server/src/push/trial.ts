import type { PushPayload } from '@foyer/protocol/notifications'
import type { Database } from '#src/kernel/database/database.ts'
import { forgetGone } from './actions.ts'
import type { Outcome } from './outcome.ts'
import { type SenderDeps, sendPush } from './sender.ts'
import { listTriedSubscriptions, type TriedSubscription } from './subscription-queries.ts'

export interface TrialDeps extends SenderDeps {
  database: Database
  /** Aborted when the server stops. */
  pushClosing: AbortSignal
}

/** Time limit for all devices together, because a person waits for the result. */
const TIMEOUT_MS = 15_000
const TTL_SECONDS = 60
const TAG = 'test'

const payload: PushPayload = {
  type: 'test',
  title: 'Test notification',
  body: 'Notifications work on this device.',
  url: '/',
  tag: TAG,
  kind: 'test',
  text: '',
  attachment_count: 0,
}

/** A device, and the result of the push to it. */
export interface TriedDevice {
  readonly subscription: TriedSubscription
  readonly outcome: Outcome
}

/** Pushes a test to all of the user's own devices. */
export async function tryPushes(deps: TrialDeps, userId: string): Promise<TriedDevice[]> {
  const subscriptions = await listTriedSubscriptions(deps.database, userId)
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const tried = await Promise.all(
    subscriptions.map(async (subscription) => ({
      subscription,
      outcome: await tryPush(deps, subscription, late),
    })),
  )
  const gone = tried.filter(({ outcome }) => outcome.kind === 'gone')
  if (gone.length > 0)
    await forgetGone(
      deps,
      gone.map(({ subscription }) => subscription),
    )
  return tried
}

async function tryPush(
  deps: TrialDeps,
  subscription: TriedSubscription,
  late: AbortSignal,
): Promise<Outcome> {
  const push = { text: Buffer.from(JSON.stringify(payload)), tag: TAG, ttlSeconds: TTL_SECONDS }
  try {
    return await sendPush(deps, subscription, push, AbortSignal.any([late, deps.pushClosing]))
  } catch (error) {
    deps.pushClosing.throwIfAborted()
    if (!late.aborted) throw error
    return { kind: 'unanswered' }
  }
}
