import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ListMembersQuery } from '@foyer/protocol/members'
import { sql } from '#src/kernel/sql/sql.ts'
import { buffersRead, type PlanMode, planModes, planOf, rowsRead } from '#test/plans.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { pageOfMembers } from './queries.ts'

const MEMBERS = 100_000
/** Rows that one statement inserts in time on a busy machine. */
const BATCH = 10_000
const PAGE = 100
const MIDDLE_ID = '80000000-0000-0000-0000-000000000000'

let server: TestServer
let owner: Person
let spaceId: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  const { space } = await owner.client.spaces.create({ name: 'Arena' })
  spaceId = space.id
  for (let first = 1; first < MEMBERS; first += BATCH) await insertMembers(first)
  // From here on the planner's statistics say that everybody has the same role.
  await server.deps.database.execute(sql`analyze members, roles`)
})
after(() => server.close())

async function insertMembers(first: number): Promise<void> {
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username)
      select gen_random_uuid(), 'member' || n from generate_series(${first}::integer, ${first + BATCH - 1}::integer) n
      returning id
    )
    insert into members (space_id, user_id) select ${spaceId}, id from crowd`)
}

/** Adds roles above the existing ones. Each becomes the highest role of `membersOfEach` members without a role. */
async function addRoles(positions: { from: number; to: number }, membersOfEach: number): Promise<void> {
  const { from, to } = positions
  await server.deps.database.execute(sql`
    with added as (
      insert into roles (space_id, id, name, permissions, position)
      select ${spaceId}, gen_random_uuid(), 'role', 0, n from generate_series(${from}::integer, ${to}::integer) n
      returning id, position
    ), chosen as (
      select user_id, ${from} + (row_number() over () - 1) / ${membersOfEach}::integer as position from (
        select user_id from members where space_id = ${spaceId} and top_role_id is null
        order by user_id limit ${(to - from + 1) * membersOfEach}) as free
    )
    update members set top_role_id = added.id from chosen join added using (position)
    where space_id = ${spaceId} and members.user_id = chosen.user_id`)
}

test('MEMBER-9: a page of 100,000 members reads only its own members and the roles, wherever it begins', async () => {
  await checkPages(1)
  await addRoles({ from: 1, to: 19 }, 7)
  await checkPages(20)
  await addRoles({ from: 20, to: 249 }, 0)
  await checkPages(250)
  const first = await owner.client.members.list(spaceId, { count: PAGE })
  assert.deepEqual([first.length, first[0]?.position, first.at(-1)?.position], [PAGE, 19, 5])
})

async function checkPages(roles: number): Promise<void> {
  const cursors: ListMembersQuery[] = [
    {},
    { after_pos: 0, after_id: MIDDLE_ID },
    { after_pos: 10, after_id: MIDDLE_ID },
  ]
  for (const cursor of cursors) {
    const query = { ...cursor, count: PAGE }
    for (const mode of planModes)
      checkWork(await measure(query, mode), roles, `${JSON.stringify(query)}, ${roles} roles, ${mode}`)
  }
}

function checkWork(work: Work, roles: number, what: string): void {
  assert.equal(work.members, PAGE, `${work.members} members were read for ${what}`)
  assert.ok(work.roles <= roles, `${work.roles} roles were read for ${what}`)
  // A page of a table or an index has about 8 KiB; an index lookup reads three or four.
  const most = 4 * (2 * roles + 2 * PAGE)
  assert.ok(work.buffers <= most, `${work.buffers} buffers were read for ${what}`)
}

interface Work {
  members: number
  roles: number
  buffers: number
}

/** Returns the work of running the page's plan. */
async function measure(query: ListMembersQuery, mode: PlanMode): Promise<Work> {
  const plan = await planOf(server.deps.database, pageOfMembers(spaceId, query), mode)
  return { members: rowsRead(plan, 'members'), roles: rowsRead(plan, 'roles'), buffers: buffersRead(plan) }
}
