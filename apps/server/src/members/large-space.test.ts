import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql.ts'
import { createPerson, type Person } from '#test/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { pageOfMembers } from './queries.ts'

const MEMBERS = 100_000
const PAGE = 100

let server: TestServer
let owner: Person
let spaceId: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  const { space } = await owner.client.spaces.create({ name: 'Arena' })
  spaceId = space.id
  await server.deps.database.execute(sql`
    with crowd as (
      insert into users (id, username)
      select gen_random_uuid(), 'member' || n from generate_series(2, ${MEMBERS}::integer) n
      returning id, username
    )
    insert into members (space_id, user_id, position)
    select ${spaceId}, id, case when username like '%0' then 1 else 0 end from crowd`)
  await server.deps.database.execute(sql`analyze members`)
})
after(() => server.close())

test('MEMBER-9: among 100,000 members, a page reads no more members than twice its own', async () => {
  const [first, middle] = [await owner.client.members.list(spaceId, { count: PAGE }), await deepest()]
  assert.deepEqual([first.length, middle.length], [PAGE, PAGE])
  const cursors = [undefined, first.at(-1), middle.at(-1)]
  for (const last of cursors) {
    const cursor = last && { after_pos: last.position, after_id: last.id }
    const read = await countRead({ ...cursor, count: PAGE })
    assert.ok(read >= PAGE && read <= 2 * PAGE, `${read} members were read`)
  }
})

/** The page in the middle of those without a role. */
function deepest() {
  const after_id = '80000000-0000-0000-0000-000000000000'
  return owner.client.members.list(spaceId, { after_pos: 0, after_id, count: PAGE })
}

/** How many rows of `members` the page's plan visits, those included that a filter removes. */
async function countRead(query: Parameters<typeof pageOfMembers>[1]): Promise<number> {
  const { text, values } = pageOfMembers(spaceId, query)
  const explain = { name: '', text: `explain (analyze, format json) ${text}`, values }
  const [row] = await server.deps.database.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
  const plan = row?.['QUERY PLAN'][0]?.Plan
  assert.ok(plan)
  return nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'members')
    .reduce((sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), 0)
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
