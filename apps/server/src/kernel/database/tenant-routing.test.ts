import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { citusStatements, tableSpread } from './table-spread.ts'

const SOURCES = join(import.meta.dirname, '../..')
const DOCUMENT = join(import.meta.dirname, '../../../../../docs/DISTRIBUTION.md')

let document: string
/** Files with statements that read or write tables of tenants without naming one tenant, and how many they have. */
let crossing: ReadonlyMap<string, number>

before(async () => {
  document = await readFile(DOCUMENT, 'utf8')
  const paths = (await readdir(SOURCES, { recursive: true })).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  )
  const counted = await Promise.all(
    paths.map(async (path) => [path, countCrossing(await readFile(join(SOURCES, path), 'utf8'))] as const),
  )
  crossing = new Map(counted.filter(([, count]) => count > 0))
})

test('DATA-7: the table of docs/DISTRIBUTION.md has each file with statements for more than one tenant', () => {
  const listed = [...document.matchAll(/^\| `([^`]+\.ts)` \|/gm)].map(([, path]) => path)
  assert.deepEqual(listed.toSorted(), [...crossing.keys()].toSorted())
})

test('DATA-7: the statements for Citus match the list', () => {
  const [, block = ''] = document.split('```sql\n')
  assert.deepEqual(block.split('\n```')[0]?.split('\n'), citusStatements())
})

test('DATA-7: the check recognizes whether a statement names its tenant', () => {
  const crossingCount = (text: string) => countCrossing(`sql\`${text}\``)
  assert.equal(crossingCount('select from rooms where space_id = $' + '{spaceId}'), 0)
  assert.equal(crossingCount('select from rooms where id = $' + '{roomId}'), 1)
  assert.equal(crossingCount('insert into bans (space_id) values ($' + '{spaceId})'), 0)
  assert.equal(crossingCount('insert into bans select * from unnest($' + '{ids}::uuid[])'), 1)
  assert.equal(crossingCount('select from users where id = $' + '{userId}'), 0)
  assert.equal(countCrossing('fragment`with input as (select from bans)`'), 1)
})

/** Counts statements, and the fragments with which statements begin. */
function countCrossing(source: string): number {
  return [...source.matchAll(/\b(?:sql|fragment(?=`\s*with\b))`([^`]*)`/g)].filter(([, text = '']) =>
    isCrossing(text),
  ).length
}

/** By the words alone: a statement is to say `tenant = ${…}`, or to insert one tenant's values. */
function isCrossing(text: string): boolean {
  const used = [...text.matchAll(/\b(?:from|join|into|update|using)\s+([a-z_]+)\b/g)].map(
    ([, name = '']) => name,
  )
  const keys = used.flatMap((name) => {
    const spread = tableSpread[name]
    return spread?.by === 'tenant' ? [spread.column] : []
  })
  if (keys.length === 0) return false
  // Other tables have an `id` too.
  const names = keys.every((key) => key === 'id') ? ['id'] : keys.filter((key) => key !== 'id')
  const namesOne = names.some((name) => new RegExp(`\\b${name} = \\$\\{`).test(text))
  const insertsOne = /\binsert into\b/.test(text) && !/\bunnest\(/.test(text)
  return !namesOne && !insertsOne
}
