// Measures how soon a timeout applies on another process, and whether slow mode accepts exactly the messages that are due.
import { Client } from '@foyer/sdk/client'
import { ApiError } from '@foyer/sdk/rest'
import { withoutValkey } from '../apps/server/test/valkey/valkey.ts'
import { type Account, signUp } from './load/accounts.ts'
import { percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { withJoined } from './server/joined.ts'

const MAX_EFFECT_MS = 100
const SLOW_SECONDS = 1
const CONNECTIONS = 10
const HOUR_MS = 3_600_000

const options = readOptions(
  { timeouts: 500, senders: 20, tries: 100_000 },
  { timeouts: 10, senders: 2, tries: 300 },
)
const { timeouts, senders, tries } = options.numbers

/** An attempt to send. Times are in milliseconds on one clock. */
interface Try {
  begunAt: number
  endedAt: number
  isPassed: boolean
}

if (withoutValkey) console.log(`skipped: ${withoutValkey}`)
else
  await withJoined(['api,gateway,jobs', 'api,gateway'], ({ processes }) =>
    measure(processes.map(({ port }) => port)),
  )

async function measure(ports: readonly number[]): Promise<void> {
  const [owner, ...members] = await signUp(ports[0] ?? 0, senders + 1)
  if (owner === undefined) throw new Error('nobody owns a space')
  const { code } = await owner.client.invites.create(owner.spaceId, owner.roomId)
  for (const { client } of members) await client.invites.join(code)
  const effect = await measureTimeouts(owner, members[0] ?? owner, ports)
  const slow = await measureSlowMode(owner, members, ports)
  report({
    ...options,
    name: 'moderation',
    problems: [...problemsOf(effect), ...problemsOfSlowMode(slow)],
    figures: {
      timeouts,
      refused_after_p50_ms: percentile(effect.refusedAfterMs, 0.5),
      refused_after_p99_ms: percentile(effect.refusedAfterMs, 0.99),
      accepted_after_timeouts: effect.acceptedAfter,
      refused_after_releases: effect.refusedFree,
      slow_mode_tries: slow.tries,
      slow_mode_passed: slow.passed,
      slow_mode_too_early: slow.tooEarly,
      slow_mode_refused_when_due: slow.refusedWhenDue,
    },
  })
}

interface Effect {
  /** Milliseconds from the answer to the timeout request until another process refused a message of the member. */
  refusedAfterMs: number[]
  acceptedAfter: number
  refusedFree: number
}

/** Times a member out and lifts the timeout through one process. After each change, the member writes through another process. */
async function measureTimeouts(owner: Account, member: Account, ports: readonly number[]): Promise<Effect> {
  const there = clientAt(member, ports[1] ?? 0)
  const effect: Effect = { refusedAfterMs: [], acceptedAfter: 0, refusedFree: 0 }
  for (let index = 0; index < timeouts; index++) {
    const until = new Date(Date.now() + 60_000).toISOString()
    await owner.client.members.timeOut(owner.spaceId, member.userId, { until })
    const answeredAt = performance.now()
    while (await passes(there, owner.roomId)) effect.acceptedAfter += 1
    effect.refusedAfterMs.push(performance.now() - answeredAt)
    await owner.client.members.liftTimeout(owner.spaceId, member.userId)
    if (!(await passes(there, owner.roomId))) effect.refusedFree += 1
  }
  return effect
}

function problemsOf({ refusedAfterMs, acceptedAfter, refusedFree }: Effect): string[] {
  return [
    ...(percentile(refusedAfterMs, 0.99) > MAX_EFFECT_MS && !options.isSmoke
      ? [`a timeout applied after more than ${MAX_EFFECT_MS} ms`]
      : []),
    ...(acceptedAfter > 0 ? [`${acceptedAfter} messages were accepted after the answer to a timeout`] : []),
    ...(refusedFree > 0 ? [`${refusedFree} messages were refused after a release`] : []),
  ]
}

interface SlowMode {
  tries: number
  passed: number
  tooEarly: number
  refusedWhenDue: number
}

/** Each sender writes over ten connections to two processes, without a pause. */
async function measureSlowMode(
  owner: Account,
  members: readonly Account[],
  ports: readonly number[],
): Promise<SlowMode> {
  await owner.client.rooms.update(owner.spaceId, owner.roomId, { slow_mode_seconds: SLOW_SECONDS })
  const sum: SlowMode = { tries: 0, passed: 0, tooEarly: 0, refusedWhenDue: 0 }
  let left = tries
  const takeTry = () => left-- > 0
  const results = await Promise.all(
    members.map(async (member) => {
      const clients = Array.from({ length: CONNECTIONS }, (_, index) =>
        clientAt(member, ports[index % ports.length] ?? 0),
      )
      const made = await Promise.all(clients.map((client) => tryUntilDone(client, owner.roomId, takeTry)))
      return made.flat()
    }),
  )
  for (const made of results) addTo(sum, made)
  return sum
}

async function tryUntilDone(client: Client, roomId: string, takeTry: () => boolean): Promise<Try[]> {
  const made: Try[] = []
  while (takeTry()) {
    const begunAt = performance.now()
    const isPassed = await passes(client, roomId)
    made.push({ begunAt, endedAt: performance.now(), isPassed })
  }
  return made
}

/**
 * Counts only errors that are certain, because the server accepts a message at an unknown time during the request. A message was
 * accepted too early if its request ended less than the interval after the previous accepted request began. A refusal is wrong
 * if no message can have been accepted during the refused request, or within the interval before it.
 */
function addTo(sum: SlowMode, made: readonly Try[]): void {
  const gapMs = SLOW_SECONDS * 1000
  const passed = made.filter(({ isPassed }) => isPassed).toSorted((one, other) => one.begunAt - other.begunAt)
  sum.tries += made.length
  sum.passed += passed.length
  sum.tooEarly += passed.filter(({ endedAt }, index) => {
    const before = passed[index - 1]
    return before !== undefined && endedAt - before.begunAt < gapMs
  }).length
  const isDue = ({ begunAt, endedAt }: Try) =>
    !passed.some((turn) => turn.endedAt > begunAt - gapMs && turn.begunAt < endedAt)
  sum.refusedWhenDue += made.filter((each) => !each.isPassed && isDue(each)).length
}

function problemsOfSlowMode({ tooEarly, refusedWhenDue }: SlowMode): string[] {
  return [
    ...(tooEarly > 0 ? [`${tooEarly} messages passed too early`] : []),
    ...(refusedWhenDue > 0 ? [`${refusedWhenDue} messages were refused when due`] : []),
  ]
}

function clientAt({ accessToken, sessionToken }: Account, port: number): Client {
  const later = new Date(Date.now() + HOUR_MS).toISOString()
  const tokens = {
    access_token: accessToken,
    session_token: sessionToken,
    expires_at: later,
    session_expires_at: later,
  }
  return new Client({ baseUrl: `http://127.0.0.1:${port}`, tokens, retry: { maxAttempts: 1 } })
}

/** @returns false if the server refuses the message, by a timeout or slow mode */
async function passes(client: Client, roomId: string): Promise<boolean> {
  try {
    await client.messages.create(roomId, { content: 'x' })
    return true
  } catch (error) {
    if (error instanceof ApiError && (error.code === 'timed_out' || error.code === 'slow_mode')) return false
    throw error
  }
}
