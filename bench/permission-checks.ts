// Measures a permission check in a space whose data is cached, and counts answers that are out of date.
import { Permission } from '@foyer/protocol/permissions'
import { Database } from '../apps/server/src/kernel/database/database.ts'
import { Bus } from '../apps/server/src/kernel/journal/bus.ts'
import type { Caller } from '../apps/server/src/kernel/secrets/credentials.ts'
import { sql } from '../apps/server/src/kernel/sql/sql.ts'
import { accessRoom } from '../apps/server/src/spaces/access.ts'
import { Snapshots } from '../apps/server/src/spaces/snapshots.ts'
import { type Account, signUp } from './load/accounts.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const options = readOptions(
  { checks: 1_000_000, roles: 20, overwrites: 10, toggles: 500 },
  { checks: 10_000, roles: 3, overwrites: 2, toggles: 10 },
)
const load = options.numbers
const { figures, problems } = await withFoyer(options, async (foyer) => {
  const [owner, member] = await signUp(foyer.port, 2)
  if (owner === undefined || member === undefined) throw new Error('two accounts are needed')
  await addRoles(owner, member)
  const stale = await countStale(owner, member)
  return {
    figures: { ...(await measureChecks(foyer, owner, member)), toggles: load.toggles, stale_answers: stale },
    problems: stale > 0 ? [`${stale} answers were stale`] : [],
  }
})
report({ ...options, name: 'permission-checks', figures, problems })

/** Gives the member all roles, and the room overwrites for half of them. */
async function addRoles(owner: Account, member: Account): Promise<void> {
  const { client, spaceId, roomId } = owner
  const { code } = await client.invites.create(spaceId, roomId)
  await member.client.invites.join(code)
  for (let index = 0; index < load.roles; index += 1) {
    const role = await client.roles.create(spaceId, { name: `Role ${index}` })
    await client.roles.assign(spaceId, member.userId, role.id)
    if (index >= load.overwrites) continue
    const flags = { allow_flags: Permission.SendMessages, deny_flags: Permission.PinMessages }
    await client.overwrites.upsert(spaceId, roomId, { target_id: role.id, target_type: 0, ...flags })
  }
}

/** Runs the server's own code in this process, on its database, without HTTP. */
async function measureChecks(foyer: Foyer, owner: Account, member: Account) {
  const bus = new Bus((error) => {
    throw error
  })
  const connection = { host: foyer.postgresSocket, user: 'foyer', database: 'foyer' }
  const onError = (error: Error) => {
    throw error
  }
  const database = new Database({ connection, onError, onCommit: (events) => bus.emit(events) })
  const snapshots = new Snapshots({ database, bus })
  bus.subscribe({ caches: [snapshots] })
  const session = { sessionId: '', expiresAt: 0, hasSecondFactor: false }
  const caller: Caller = { kind: 'human', user: await member.client.users.me(), ...session }
  const check = () => accessRoom(snapshots, caller, owner.roomId, Permission.SendMessages)
  for (let index = 0; index < 1000; index += 1) await check()
  const before = await countTransactions(database)
  const { user, system } = process.cpuUsage()
  for (let index = 0; index < load.checks; index += 1) await check()
  const used = process.cpuUsage({ user, system })
  const queries = (await countTransactions(database)) - before
  await database.close()
  return {
    cpu_us_per_check: (used.user + used.system) / load.checks,
    queries_per_check: Math.max(0, queries - 1) / load.checks,
  }
}

async function countTransactions(database: Database): Promise<number> {
  await database.query(sql`select pg_stat_force_next_flush()`)
  const [row] = await database.query<{ count: number }>(
    sql`select xact_commit as count from pg_stat_database where datname = current_database()`,
  )
  return row?.count ?? 0
}

/** Reads as the member right after each acknowledged change, and counts answers that do not reflect it. */
async function countStale(owner: Account, member: Account): Promise<number> {
  let stale = 0
  for (let index = 0; index < load.toggles; index += 1) {
    const hides = index % 2 === 0
    await owner.client.overwrites.upsert(owner.spaceId, owner.roomId, {
      target_id: member.userId,
      target_type: 1,
      allow_flags: 0,
      deny_flags: hides ? Permission.ViewChannels : 0,
    })
    const answers = await Promise.all([mayRead(owner, member), mayRead(owner, member), maySee(owner, member)])
    stale += answers.filter((answer) => answer === hides).length
  }
  return stale
}

function mayRead(owner: Account, member: Account): Promise<boolean> {
  return member.client.messages.list(owner.roomId).then(
    () => true,
    () => false,
  )
}

async function maySee(owner: Account, member: Account): Promise<boolean> {
  const rooms = await member.client.rooms.list(owner.spaceId)
  return rooms.some(({ id }) => id === owner.roomId)
}
