// Measures two raids. In the first, the door closes by itself: how soon it closes, and how fast members send during the raid. In
// the second, all raiders have joined and written: how long it takes to close the door, and to remove them with their messages.
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../apps/server/src/kernel/ids.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from './load/accounts.ts'
import { insertPeople, type Person } from './load/crowd.ts'
import { GatewayConnection } from './load/gateway-connection.ts'
import { inGroups } from './load/groups.ts'
import { HttpClient } from './load/http-client.ts'
import { percentile } from './load/latencies.ts'
import { withDatabase } from './load/messages.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const MAX_SENDING_MS = 100
const MAX_CLOSING_MS = 2000
const MAX_REMOVING_MS = 10_000
/** Minimum time between two messages of one member. */
const MEMBER_PAUSE_MS = 200
const POLL_MS = 20

const options = readOptions(
  { raiders: 1000, messages: 5000, members: 20, seconds: 10 },
  { raiders: 40, messages: 200, members: 4, seconds: 2 },
)
const load = options.numbers
/** Number of joins in a minute that close the door, as in a space that the web client creates. */
const SENSOR_JOINS = 20
const MESSAGES_EACH = load.messages / load.raiders
const WRITING_AT_ONCE = 20
/** Time for the work that the server does in its first seconds, such as preparing the OpenAPI document. */
const SETTLING_MS = options.isSmoke ? 0 : 15_000
const { figures, problems } = await withFoyer(options, measure)
report({ ...options, name: 'raid', figures, problems })

interface Place {
  owner: Account
  http: HttpClient
}

async function measure(foyer: Foyer) {
  const [first, second] = await signUp(foyer.port, 2)
  if (first === undefined || second === undefined) throw new Error('nobody owns a space')
  const http = new HttpClient(foyer.port)
  const attack = await measureAttack(foyer, { owner: first, http })
  const removal = await measureRemoval(foyer, { owner: second, http })
  http.close()
  return {
    problems: [...problemsOfAttack(attack), ...problemsOfRemoval(removal)],
    figures: {
      raiders: load.raiders,
      raiders_who_came_in: attack.cameIn,
      messages_of_raiders: attack.accepted,
      closed_after_ms: attack.closedAfterMs,
      sending_calm_p50_ms: percentile(attack.calmMs, 0.5),
      sending_calm_p99_ms: percentile(attack.calmMs, 0.99),
      sending_in_raid_p50_ms: percentile(attack.raidMs, 0.5),
      sending_in_raid_p99_ms: percentile(attack.raidMs, 0.99),
      closing_behind_all_ms: removal.closedMs,
      removing_answered_after_ms: removal.answeredMs,
      removed_after_ms: removal.doneMs,
    },
  }
}

interface Attack {
  calmMs: readonly number[]
  raidMs: readonly number[]
  /** Milliseconds from the request of the first raider over the limit to the event for the moderators. */
  closedAfterMs: number
  /** Number of raiders who joined before the door closed, and of their messages that were accepted. */
  cameIn: number
  accepted: number
  waiting: number
  failed: number
}

/** Measures a raid that the sensor notices: users join one after another, and each tries to write immediately. */
async function measureAttack(foyer: Foyer, place: Place): Promise<Attack> {
  const { owner } = place
  const { code } = await owner.client.invites.create(owner.spaceId, owner.roomId)
  const members = await insertPeople(foyer, 'member_', load.members)
  await insertMembers(foyer, owner, members, '1 day')
  const raiders = await insertPeople(foyer, 'raider_', load.raiders)
  await owner.client.door.update(owner.spaceId, { sensor: true, sensor_joins: SENSOR_JOINS })
  const closedAt = Promise.withResolvers<number>()
  const onEvent = (name: string) => {
    if (name === 'SPACE_DOOR_UPDATE') closedAt.resolve(performance.now())
  }
  const connection = await GatewayConnection.open(foyer.port, owner, { onEvent })
  // Lets the server compile its code and fill its caches.
  await sendFor(place, members)
  await sleep(SETTLING_MS)
  const calm = await sendFor(place, members)
  const [raid, ...tries] = await Promise.all([
    sendFor(place, members),
    ...raiders.map((raider, index) => raidAs(place, { code, raider, index })),
  ])
  const door = await owner.client.door.get(owner.spaceId)
  const crossedAt = tries.filter(({ isIn }) => !isIn).map(({ startedAt }) => startedAt)
  const attack = {
    calmMs: calm.tookMs,
    raidMs: raid.tookMs,
    closedAfterMs: (await closedAt.promise) - Math.min(...crossedAt),
    cameIn: tries.filter(({ isIn }) => isIn).length,
    accepted: tries.reduce((sum, { accepted }) => sum + accepted, 0),
    waiting: door.newcomers,
    failed: calm.failed + raid.failed + tries.filter(({ isLost }) => isLost).length,
  }
  connection.close()
  return attack
}

/** Inserts members who joined with an invite. @param ago interval since they joined; only '0' adds audit log entries */
async function insertMembers(
  foyer: Foyer,
  { spaceId }: Account,
  people: readonly Person[],
  ago: string,
): Promise<void> {
  const ids = people.map(({ userId }) => userId)
  const entries = people.map(() => newId())
  await withDatabase(foyer, async (database) => {
    await database.execute(sql`
      insert into members (space_id, user_id, joined_at)
      select ${spaceId}, id, now() - ${ago}::interval from unnest(${ids}::uuid[]) as id`)
    await database.execute(sql`
      update spaces set member_count = member_count + ${ids.length}::integer where id = ${spaceId}`)
    if (ago !== '0') return
    await database.execute(sql`
      insert into audit_log (space_id, id, action, target_type, target_id)
      select ${spaceId}, id, 'member_join', 'user', user_id
      from unnest(${entries}::uuid[], ${ids}::uuid[]) as joined (id, user_id)`)
  })
}

interface Sent {
  /** Milliseconds from sending each message to its answer. */
  tookMs: readonly number[]
  failed: number
}

async function sendFor(place: Place, members: readonly Person[]): Promise<Sent> {
  const until = performance.now() + load.seconds * 1000
  const tookMs: number[] = []
  let failed = 0
  const sending = members.map(async (member, index) => {
    await sleep((index * MEMBER_PAUSE_MS) / members.length)
    while (performance.now() < until) {
      const from = performance.now()
      if ((await say(place, member)) !== 200) failed += 1
      tookMs.push(performance.now() - from)
      await sleep(Math.max(0, MEMBER_PAUSE_MS - (performance.now() - from)))
    }
  })
  await Promise.all(sending)
  return { tookMs, failed }
}

interface Tries {
  startedAt: number
  isIn: boolean
  accepted: number
  /** True if the server neither admitted nor refused the raider in three tries. */
  isLost: boolean
}

/** Waits for the raider's turn, joins, and writes. */
async function raidAs(
  { owner, http }: Place,
  { code, raider, index }: { code: string; raider: Person; index: number },
): Promise<Tries> {
  await sleep((index * load.seconds * 1000) / load.raiders)
  const startedAt = performance.now()
  const join = () => http.ask({ method: 'POST', path: `/api/invites/${code}`, identity: raider })
  let { status } = await join()
  for (let count = 0; count < 2 && status === 503; count += 1) status = (await join()).status
  let accepted = 0
  for (let count = 0; count < MESSAGES_EACH; count += 1)
    if ((await say({ owner, http }, raider)) === 200) accepted += 1
  return { startedAt, isIn: status === 200, accepted, isLost: status !== 200 && status !== 403 }
}

async function say({ owner, http }: Place, identity: Person): Promise<number> {
  const body = JSON.stringify({ content: 'Has anybody seen the new room?' })
  const path = `/api/rooms/${owner.roomId}/messages`
  return (await http.ask({ method: 'POST', path, identity, body })).status
}

interface Removal {
  closedMs: number
  answeredMs: number
  /** Milliseconds until the last message of a raider was deleted. */
  doneMs: number
  written: number
  removed: number
  /** Number of messages and of raiders that remain in the space afterwards. */
  messages: number
  left: number
}

/** Measures a raid that nothing stopped: all raiders have joined and written. */
async function measureRemoval(foyer: Foyer, place: Place): Promise<Removal> {
  const { owner } = place
  const raiders = await insertPeople(foyer, 'late_raider_', load.raiders)
  await insertMembers(foyer, owner, raiders, '0')
  await owner.client.messages.create(owner.roomId, { content: 'what is going on?' })
  const groups = Array.from({ length: MESSAGES_EACH }, () => raiders).flat()
  const answers = await inGroups(groups, WRITING_AT_ONCE, (raider) => say(place, raider))
  const written = answers.filter((status) => status === 200).length
  const ids = raiders.map(({ userId }) => userId)
  return withDatabase(foyer, async (database) => {
    const countOf = async (query: ReturnType<typeof sql>) =>
      (await database.query<{ count: number }>(query))[0]?.count ?? 0
    const ofRaiders = () =>
      countOf(
        sql`select count(*) from messages where tenant_id = ${owner.spaceId} and author_id = any(${ids})`,
      )
    const startedAt = performance.now()
    await owner.client.door.update(owner.spaceId, { closed: true, joined_minutes: 60 })
    const from = performance.now()
    const { user_ids } = await owner.client.door.remove(owner.spaceId)
    const answeredMs = performance.now() - from
    while ((await ofRaiders()) > 0 && performance.now() - from < 6 * MAX_REMOVING_MS) await sleep(POLL_MS)
    const doneMs = performance.now() - from
    const messages = await countOf(sql`select count(*) from messages where tenant_id = ${owner.spaceId}`)
    const left = await countOf(sql`
      select count(*) from members where space_id = ${owner.spaceId} and user_id = any(${ids})`)
    const removed = user_ids.length
    return { closedMs: from - startedAt, answeredMs, doneMs, written, removed, messages, left }
  })
}

function problemsOfAttack({ raidMs, closedAfterMs, cameIn, waiting, failed }: Attack): string[] {
  const slow = [
    ...(percentile(raidMs, 0.99) > MAX_SENDING_MS ? [`members sent slower than ${MAX_SENDING_MS} ms`] : []),
    ...(closedAfterMs > MAX_CLOSING_MS ? [`the door closed after more than ${MAX_CLOSING_MS} ms`] : []),
  ]
  return [
    ...(options.isSmoke ? [] : slow),
    ...(cameIn < SENSOR_JOINS ? [] : [`${cameIn} raiders came in`]),
    ...(waiting === load.raiders ? [] : [`${waiting} raiders wait, not ${load.raiders}`]),
    ...(failed > 0 ? [`${failed} requests failed`] : []),
  ]
}

function problemsOfRemoval({ closedMs, doneMs, written, removed, messages, left }: Removal): string[] {
  const slow = [
    ...(closedMs > MAX_CLOSING_MS ? [`closing the door took more than ${MAX_CLOSING_MS} ms`] : []),
    ...(doneMs > MAX_REMOVING_MS ? [`removing took more than ${MAX_REMOVING_MS} ms`] : []),
  ]
  return [
    ...(options.isSmoke ? [] : slow),
    ...(written === load.messages ? [] : [`${written} messages were written, not ${load.messages}`]),
    ...(removed === load.raiders ? [] : [`${removed} newcomers were removed, not ${load.raiders}`]),
    ...(left > 0 ? [`${left} raiders are members`] : []),
    ...(messages === 1 ? [] : [`${messages} messages are there, not that of the owner alone`]),
  ]
}
