import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { anyOf, type Clause } from './clauses.ts'
import { channelLexeme, tagOf } from './lexemes.ts'
import { findOldestId, lookUp, sample } from './lookups.ts'
import type { Scope } from './scope.ts'
import { choosePlan, type Estimate } from './strategy.ts'
import { type Match, type Walk, walkChannels, walkTenant } from './walks.ts'

/** Messages checked by the first walk, which is enough for most searches. */
const FIRST_ROWS = 500
/** Cost in µs up to which a search only walks. After that, it estimates whether a lookup is cheaper. */
const FIRST_COST = 5000
/** Channels with less than this share of their tenant's messages are walked individually. */
const LEAST_SHARE = 0.1
const WALK_COST = 0.8
const CHANNEL_WALK_COST = 2.5
/** Maximum clauses whose matches are counted. Further clauses are only checked per message. */
const MAX_COUNTED = 8
const SAMPLED_PLACES = 16
/** Matches assumed for a clause without matches in the sample. */
const UNSEEN = 0.5
/** Maximum channels that a lookup names as alternatives. With more, it is no faster than a walk. */
const MAX_LOOKED_UP_CHANNELS = 25

/** A channel and its number of messages, including those of its threads. */
export interface ChannelSize {
  readonly channelId: string
  readonly rows: number
}

/** Sizes of the tenant's channels. */
export interface Sizes {
  readonly tenantRows: number
  /** The channels of the scope. */
  readonly channels: readonly ChannelSize[]
  /** True if the scope has all channels of the tenant. */
  readonly isWhole: boolean
}

/** Returns the newest matches, newest first: one more than a page if there are more. */
export async function findMatches(database: Queryable, scope: Scope, sizes: Sizes): Promise<Match[]> {
  const wanted = scope.limit + 1
  const scopeRows = sumOf(sizes.channels)
  const walk = walkerOf(database, scope, { ...sizes, scopeRows })
  const found: Match[] = []
  let [before, walked, rows] = [scope.before, 0, FIRST_ROWS]
  let estimates: readonly Estimate[] | undefined
  for (;;) {
    const step = await walk.step(before, rows)
    found.push(...step.matches)
    walked += step.walked
    if (found.length >= wanted || step.floor === null) return found.slice(0, wanted)
    before = step.floor
    rows = Math.ceil(FIRST_COST / walk.cost) - walked
    if (rows > 0) continue
    estimates ??= await estimate(database, scope, { ...sizes, scopeRows })
    const facts = { tenantRows: sizes.tenantRows, scopeRows, walked, found: found.length, wanted, estimates }
    const plan = choosePlan({ ...facts, walkCost: walk.cost })
    if (plan.kind === 'lookup') {
      const rest = await lookUp(database, scope, plan.narrow, { before, limit: wanted - found.length })
      return [...found, ...rest]
    }
    rows = plan.rows
  }
}

interface Measured extends Sizes {
  readonly scopeRows: number
}

interface Walker {
  /** Cost per message in µs. */
  readonly cost: number
  step(before: string, rows: number): Promise<Walk>
}

/** Walks the whole tenant, or single channels if they contain only a small part of the tenant's messages. */
function walkerOf(database: Queryable, scope: Scope, sizes: Measured): Walker {
  const share = sizes.scopeRows / Math.max(1, sizes.tenantRows)
  if (sizes.isWhole || share >= LEAST_SHARE)
    return {
      cost: WALK_COST / Math.max(share, LEAST_SHARE),
      step: (before, rows) => walkTenant(database, scope, { before, rows }, sizes.isWhole),
    }
  return {
    cost: CHANNEL_WALK_COST,
    step(before, rows) {
      const shares = sizes.channels.map((channel) => ({
        channelId: channel.channelId,
        rows: scope.limit + Math.ceil((rows * channel.rows) / Math.max(1, sizes.scopeRows)),
      }))
      return walkChannels(database, scope, before, shares)
    },
  }
}

/** Estimates the share of messages that match each clause. If the scope has few channels, they are a further clause. */
async function estimate(database: Queryable, scope: Scope, sizes: Measured): Promise<Estimate[]> {
  const counted = scope.clauses.slice(0, MAX_COUNTED)
  if (counted.length === 0) return []
  const { rows, hits } = await sample(database, scope.tenantId, await sampleIdsOf(database, scope), counted)
  const shareOf = (count: number) => Math.max(count, UNSEEN) / Math.max(1, rows)
  const estimates = counted.map((clause, index) => ({ clause, share: shareOf(hits[index] ?? 0) }))
  return sizes.isWhole || sizes.channels.length > MAX_LOOKED_UP_CHANNELS
    ? estimates
    : [...estimates, { clause: channelClause(scope), share: sizes.scopeRows / Math.max(1, sizes.tenantRows) }]
}

function channelClause({ tenantId, channelIds }: Scope): Clause {
  const tag = tagOf(tenantId)
  return anyOf(channelIds.map((id) => channelLexeme(tag, id)))
}

/** Returns ids spread evenly over the time since the tenant's first message. */
async function sampleIdsOf(database: Queryable, { tenantId }: Scope): Promise<string[]> {
  const now = Date.now()
  const oldest = await findOldestId(database, tenantId)
  const start = oldest === undefined ? now : idTime(oldest)
  return Array.from({ length: SAMPLED_PLACES }, (_, index) =>
    firstIdAt(start + ((now - start) * (index + 1)) / SAMPLED_PLACES),
  )
}

function sumOf(channels: readonly ChannelSize[]): number {
  return channels.reduce((sum, { rows }) => sum + rows, 0)
}
