import type { Queryable } from '#src/kernel/sql/sql.ts'
import { anyOf, type Clause } from '#src/search/clauses.ts'
import { channelLexeme, tagOf } from '#src/search/lexemes.ts'
import { lookUp } from '#src/search/lookups.ts'
import type { Scope } from '#src/search/scope.ts'
import { type Match, newestFirst, type Walk, walkChannels, walkTenant } from '#src/search/walks.ts'

const STRETCH = 60
const SHARE = 9

/** Runs a search in each way that the server may choose. Returns the ids of all matches by way, newest first. */
export async function findEveryWay(
  database: Queryable,
  scope: Scope,
  isWhole: boolean,
): Promise<Record<string, string[]>> {
  const tag = tagOf(scope.tenantId)
  const channels = anyOf(scope.channelIds.map((id) => channelLexeme(tag, id)))
  const shares = scope.channelIds.map((channelId) => ({ channelId, rows: SHARE }))
  const clauses = [...scope.clauses, channels]
  const found: Record<string, string[]> = {
    tenant: await walkAll(scope, (before) => walkTenant(database, scope, { before, rows: STRETCH }, isWhole)),
    channels: await walkAll(scope, (before) => walkChannels(database, scope, before, shares)),
  }
  for (const index of clauses.keys())
    found[`lookup ${index}`] = idsOf(await find(database, scope, clauses.slice(index)))
  return found
}

function idsOf(matches: readonly Match[]): string[] {
  return newestFirst(matches).map(({ id }) => id)
}

function find(database: Queryable, scope: Scope, narrow: readonly Clause[]): Promise<Match[]> {
  return lookUp(database, scope, narrow, { before: scope.before, limit: 1000 })
}

async function walkAll(scope: Scope, step: (before: string) => Promise<Walk>): Promise<string[]> {
  const found: Match[] = []
  let before: string | null = scope.before
  while (before !== null) {
    const walk: Walk = await step(before)
    found.push(...walk.matches)
    before = walk.floor
  }
  return idsOf(found)
}
