import type { AutomodHit, AutomodRule } from '@foyer/protocol/automod'
import { idTime, newId } from '#src/kernel/ids.ts'
import type { CheckedRule } from './rules.ts'
import type { Written } from './written.ts'

/** Maximum characters of a text that a hit keeps. */
const MAX_KEPT_CHARACTERS = 1000

/** A rule that caught a text. */
export interface Caught<Rule extends CheckedRule = AutomodRule> {
  readonly rule: Rule
  /** The caught part of the text; null if the rule does not check texts. */
  readonly excerpt: string | null
}

/** Describes the hit of a rule. */
export function hitOf(
  { spaceId, roomId, source, writer, texts }: Written,
  { rule: { id: ruleId, mode }, excerpt }: Caught,
): AutomodHit {
  const id = newId()
  return {
    id,
    space_id: spaceId,
    rule_id: ruleId,
    user_id: writer.type === 'user' ? writer.id : null,
    room_id: roomId,
    source,
    mode,
    text: texts.join('\n').slice(0, MAX_KEPT_CHARACTERS).toWellFormed(),
    excerpt: excerpt?.toWellFormed() ?? null,
    created_at: new Date(idTime(id)).toISOString(),
  }
}
