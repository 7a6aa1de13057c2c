import assert from 'node:assert/strict'
import type { Database } from '#src/kernel/database/database.ts'
import type { Query, Queryable } from '#src/kernel/sql/sql.ts'

/** PostgreSQL plans a prepared statement for its values at first (custom), and later for all values (generic). */
export const planModes = ['force_custom_plan', 'force_generic_plan'] as const
export type PlanMode = (typeof planModes)[number]

export interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** Returns the first query that the work runs. Every query returns no rows. */
export async function statementOf(work: (database: Queryable) => Promise<unknown>): Promise<Query> {
  const asked: Query[] = []
  await work({
    query: async (query) => {
      asked.push(query)
      return []
    },
  })
  const [query] = asked
  assert.ok(query)
  return query
}

/** Runs the query, and returns the plan that was used. The query's values are texts, numbers, lists of texts and null. */
export async function planOf(
  database: Pick<Database, 'transaction'>,
  { text, values }: Pick<Query, 'text' | 'values'>,
  mode: PlanMode,
): Promise<PlanNode> {
  const given = values.map(literalOf).join(', ')
  const plan = await database.transaction(async (transaction) => {
    const run = <Row extends object>(statement: string) =>
      transaction.query<Row>({ name: '', text: statement, values: [] })
    await run(`set local plan_cache_mode = ${mode}`)
    await run(`prepare measured as ${text}`)
    const [row] = await run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, buffers, format json) execute measured (${given})`,
    )
    await run('deallocate measured')
    return row?.['QUERY PLAN'][0]?.Plan
  })
  assert.ok(plan)
  return plan
}

function literalOf(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value)
  return Array.isArray(value) ? `'{${value.join(',')}}'` : `'${value}'`
}

/** Returns how many rows of a table were read, including those that a filter removed. The counts in a plan are per loop. */
export function rowsRead(plan: PlanNode, table: string): number {
  const nodes = nodesOf(plan).filter((node) => node['Relation Name'] === table)
  const rows = nodes.map(
    (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  )
  return Math.round(rows.reduce((sum, count) => sum + count, 0))
}

/** Returns the pages of tables and indexes that were read, of 8 KiB each. */
export function buffersRead(plan: PlanNode): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
