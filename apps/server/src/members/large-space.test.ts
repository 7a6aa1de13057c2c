import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ListMembersQuery } from '@foyer/protocol/members'
import { sql } from '#src/kernel/sql/sql.ts'
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
    for (const mode of ['force_custom_plan', 'force_generic_plan'])
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

/** Returns the work of running the page's plan, including rows that a filter removes. */
async function measure(query: ListMembersQuery, mode: string): Promise<Work> {
  const { text, values } = pageOfMembers(spaceId, query)
  const given = values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ')
  const explain = `explain (analyze, buffers, format json) execute page (${given})`
  const plan = await server.deps.database.transaction(async (transaction) => {
    const run = <Row extends object>(statement: string) =>
      transaction.query<Row>({ name: '', text: statement, values: [] })
    await run(`set local plan_cache_mode = ${mode}`)
    await run(`prepare page as ${text}`)
    const [row] = await run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
    await run('deallocate page')
    return row?.['QUERY PLAN'][0]?.Plan
  })
  assert.ok(plan)
  return {
    members: rowsOf(plan, 'members'),
    roles: rowsOf(plan, 'roles'),
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  }
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** The plan gives rows as an average per loop. */
function rowsOf(plan: PlanNode, table: string): number {
  const nodes = nodesOf(plan).filter((node) => node['Relation Name'] === table)
  const rows = nodes.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  )
  return Math.round(rows.reduce((sum, count) => sum + count, 0))
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
