import { hash } from 'node:crypto'
import type { AutomodTrigger } from '@foyer/protocol/automod'
import type { Stores } from '#src/files/objects/stores.ts'
import type { RateCounters } from '#src/kernel/limits/rate-limits.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { isRefusedFile } from './files.ts'
import type { Caught } from './hits.ts'
import { foldText } from './matching/folding.ts'
import { applying, type CheckedRule, type SpaceRules } from './rules.ts'
import type { Writer, Written } from './written.ts'

const HOUR_MS = 3_600_000

export interface CheckDeps {
  database: Queryable
  stores: Stores
  /** Counters of repeated texts. */
  counters: RateCounters
}

/**
 * Returns the matching rules, in their order. Also counts the text, for rules on repeats.
 * @param now the time of writing, in milliseconds since 1970
 */
export async function findCaught<Rule extends CheckedRule>(
  deps: CheckDeps,
  { rules, matcher }: SpaceRules<Rule>,
  written: Written,
  now: number,
): Promise<Caught<Rule>[]> {
  if (written.writer.isExempt) return []
  const matches = matcher.match(written.texts)
  const excerpts = new Map(matches.map(({ ruleId, excerpt }) => [ruleId, excerpt]))
  const caught: Caught<Rule>[] = []
  for (const rule of applying(rules, written)) {
    const excerpt = excerpts.get(rule.id) ?? null
    if (excerpt !== null || (await catches(deps, rule, written, now))) caught.push({ rule, excerpt })
  }
  return caught
}

/** Checks the conditions that the text matcher does not cover. */
async function catches(
  deps: CheckDeps,
  { id, trigger }: CheckedRule,
  written: Written,
  now: number,
): Promise<boolean> {
  switch (trigger.type) {
    case 'mentions':
      return (written.mentions ?? 0) > (trigger.max ?? 0)
    case 'new_accounts':
      return isNewcomer(written.writer, trigger, now)
    case 'repeats':
      return isRepeated(deps, { id, trigger }, written, now)
    case 'attachments':
      return isRefusedFile(deps, trigger, written.files ?? [])
    default:
      return false
  }
}

function isNewcomer({ accountSince }: Writer, { hours = 0 }: AutomodTrigger, now: number): boolean {
  return accountSince !== null && now - Date.parse(accountSince) < hours * HOUR_MS
}

async function isRepeated(
  { counters }: CheckDeps,
  { id, trigger: { count = 2, seconds = 0 } }: Pick<CheckedRule, 'id' | 'trigger'>,
  { writer, texts, source }: Written,
  now: number,
): Promise<boolean> {
  const text = foldText(texts.join('\n')).trim()
  if (text === '' || source === 'edit') return false
  const name = `automod ${id} ${hash('sha256', text, 'base64url')}`
  const counter = { subject: writer.id, name, limit: count - 1, windowMs: seconds * 1000 }
  const decision = await counters.take([counter], now)
  return decision?.allowed === false
}
