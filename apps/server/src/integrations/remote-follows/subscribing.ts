import { finished } from 'node:stream/promises'
import type { Database } from '#src/kernel/database/database.ts'
import { newToken } from '#src/kernel/ids.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import { jittered } from './delays.ts'
import { postponeSubscription, type RemoteFollowRow, saveSecret } from './queries.ts'
import { openRemoteSecret, sealRemoteSecret } from './secrets.ts'

export interface SubscribingDeps {
  database: Database
  outgoing: Outgoing
  sealer: Sealer
  config: { publicUrl: string | undefined }
}

const LEASE_SECONDS = 10 * 24 * 60 * 60
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 4096
/** Time to wait for the hub's confirmation before asking again. */
const PATIENCE_SECONDS = 5 * 60
/** Time to wait after a refusal or no answer. Jitter keeps all servers from asking a hub at once when it is back. */
const REFUSED_SECONDS = 60 * 60

/** Asks the hub to call this server after each change (WebSub, section 5.1). Does nothing without PUBLIC_URL, which the hub calls. */
export async function subscribe(
  deps: SubscribingDeps,
  follow: RemoteFollowRow,
  closing: AbortSignal,
): Promise<void> {
  const { publicUrl } = deps.config
  if (publicUrl === undefined || !follow.needs_lease) return
  // The next request is postponed before this one is sent, so that a process that is killed does not repeat it.
  await postponeSubscription(deps.database, follow, PATIENCE_SECONDS)
  const callback = `${new URL(publicUrl).origin}/api/follow-callbacks/${follow.callback_id}`
  const body = Buffer.from(
    new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': follow.feed_url,
      'hub.callback': callback,
      'hub.lease_seconds': String(LEASE_SECONDS),
      'hub.secret': await secretOf(deps, follow),
    }).toString(),
  )
  const isAccepted = await post(deps.outgoing, { url: new URL(follow.hub_url), body }, closing)
  if (!isAccepted) await postponeSubscription(deps.database, follow, jittered(REFUSED_SECONDS))
}

async function post(
  outgoing: Outgoing,
  { url, body }: { url: URL; body: Buffer },
  closing: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(TIMEOUT_MS)])
  const headers = { ...askingFor('*/*'), 'content-type': 'application/x-www-form-urlencoded' }
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES, signal }
  try {
    const answer = await outgoing.send({ method: 'POST', url, headers, body, ...limits })
    // The answer is read to its end, so that the connection can be reused.
    await finished(answer.body.resume()).catch(() => undefined)
    return answer.status >= 200 && answer.status < 300
  } catch {
    closing.throwIfAborted()
    return false
  }
}

async function secretOf({ database, sealer }: SubscribingDeps, follow: RemoteFollowRow): Promise<string> {
  const known = openRemoteSecret(sealer, follow.webhook_id, follow.secret)
  if (known !== undefined) return known
  const secret = newToken()
  await saveSecret(database, follow, sealRemoteSecret(sealer, follow.webhook_id, secret))
  return secret
}
