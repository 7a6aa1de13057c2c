import type { Clause } from './clauses.ts'

/** A clause, with the share of the tenant's messages that match it. */
export interface Estimate {
  readonly clause: Clause
  readonly share: number
}

export interface Facts {
  /** Number of messages in the tenant, and in the searched channels. */
  readonly tenantRows: number
  readonly scopeRows: number
  /** Messages checked so far, matches found among them, and matches wanted in total. */
  readonly walked: number
  readonly found: number
  readonly wanted: number
  /** Cost of checking one message, in µs. */
  readonly walkCost: number
  readonly estimates: readonly Estimate[]
}

export type Plan =
  | { readonly kind: 'walk'; readonly rows: number }
  | { readonly kind: 'lookup'; readonly narrow: readonly Clause[] }

/**
 * Cost in µs of reading one index entry. Entries of a prefix cost more, because they are merged. All costs were
 * measured in a space of 2 million messages.
 */
const ENTRY_COST = 0.15
const PREFIX_ENTRY_COST = 0.5
/** Cost of reading one message that the index found. Its page is usually not in PostgreSQL's cache. */
const FETCH_COST = 5
/** Minimum rows of a further walk: its query has a fixed cost, too. */
const LEAST_ROWS = 500
/** Limits each walk to this multiple of the rows already walked, because the estimate may be wrong. */
const GROWTH = 4

/**
 * Chooses the cheaper way to continue: walk through more of the newest messages, or look up the rest by the clauses
 * that are selective enough.
 */
export function choosePlan(facts: Facts): Plan {
  const { walked, walkCost } = facts
  const rows = rowsToWalk(facts)
  const lookup = cheapestLookup(facts)
  if (rows * walkCost <= lookup.cost) return { kind: 'walk', rows: Math.min(rows, walked * GROWTH) }
  return { kind: 'lookup', narrow: lookup.narrow }
}

/** Estimates the rows to walk from the matches found so far; without any, from the shares of the clauses. */
function rowsToWalk(facts: Facts): number {
  const { walked, found, wanted, scopeRows } = facts
  const share = found > 0 ? found / walked : Math.min(product(facts.estimates), 1 / walked)
  return Math.ceil(Math.max(LEAST_ROWS, Math.min((wanted - found) / share, scopeRows - walked)))
}

/**
 * Tries the rarest clause alone, the rarest two, and so on: each further clause means more index entries to read, but fewer
 * messages to fetch.
 */
function cheapestLookup(facts: Facts): { cost: number; narrow: Clause[] } {
  const { tenantRows } = facts
  // Every clause matches at least the messages that match all of them.
  const least = facts.found / facts.walked
  const estimates = facts.estimates.map(({ clause, share }) => ({ clause, share: Math.max(share, least) }))
  const rarest = estimates.toSorted((a, b) => a.share - b.share)
  let best: { cost: number; narrow: Clause[] } = { cost: Number.POSITIVE_INFINITY, narrow: [] }
  let read = 0
  for (const [index, { clause, share }] of rarest.entries()) {
    read += share * tenantRows * (clause.isPrefix ? PREFIX_ENTRY_COST : ENTRY_COST)
    const taken = rarest.slice(0, index + 1)
    const cost = read + product(taken) * tenantRows * FETCH_COST
    if (cost < best.cost) best = { cost, narrow: taken.map((estimate) => estimate.clause) }
  }
  return best
}

function product(estimates: readonly Estimate[]): number {
  return estimates.reduce((all, { share }) => all * share, 1)
}
