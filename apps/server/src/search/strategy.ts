import type { Clause } from './clauses.ts'

/** A clause with the share of the tenant's messages that have it. */
export interface Estimate {
  readonly clause: Clause
  readonly share: number
}

export interface Facts {
  /** Messages of the tenant, and of the channels that are searched. */
  readonly tenantRows: number
  readonly scopeRows: number
  /** How many were looked at so far, and matched, and how many matches are wanted in all. */
  readonly walked: number
  readonly found: number
  readonly wanted: number
  /** What to look at one message costs, in µs. */
  readonly walkCost: number
  readonly estimates: readonly Estimate[]
}

export type Plan =
  | { readonly kind: 'walk'; readonly rows: number }
  | { readonly kind: 'lookup'; readonly narrow: readonly Clause[] }

/**
 * Measured in a space of 2 million messages, in µs. Of reading the index, for a message that has the lexeme; of lexemes by
 * their beginning they have to be merged.
 */
const ENTRY_COST = 0.15
const PREFIX_ENTRY_COST = 0.5
/** Of looking at a message that the index found: its page is anywhere, and mostly not in PostgreSQL's own memory. */
const FETCH_COST = 5
/** To ask once more costs as much as so many rows. */
const LEAST_ROWS = 500
/** A stretch is at most so many times as long as all before it: what was expected may be wrong. */
const GROWTH = 4

/**
 * The cheaper way to go on: to walk on through the newest messages, or to look the rest up in the index, by those of the
 * clauses that are worth it.
 */
export function choosePlan(facts: Facts): Plan {
  const { walked, walkCost } = facts
  const rows = rowsToWalk(facts)
  const lookup = cheapestLookup(facts)
  if (rows * walkCost <= lookup.cost) return { kind: 'walk', rows: Math.min(rows, walked * GROWTH) }
  return { kind: 'lookup', narrow: lookup.narrow }
}

/** As far as the matches that were found tell; while there are none, as far as the clauses do. */
function rowsToWalk(facts: Facts): number {
  const { walked, found, wanted, scopeRows } = facts
  const share = found > 0 ? found / walked : Math.min(product(facts.estimates), 1 / walked)
  return Math.ceil(Math.max(LEAST_ROWS, Math.min((wanted - found) / share, scopeRows - walked)))
}

/** The rarest clause alone, or the rarest two, and so on: each one more is read from the index, and leaves fewer messages. */
function cheapestLookup(facts: Facts): { cost: number; narrow: Clause[] } {
  const { tenantRows } = facts
  // What all clauses together have, each of them has.
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
