import type { AutomodRule, AutomodSource, AutomodTriggerType } from '@foyer/protocol/automod'
import type { OwnServer } from './matching/link-rules.ts'
import { compileMatcher, type TextMatcher } from './matching/matcher.ts'
import type { Writer } from './written.ts'

/** The part of a rule that defines its matches. */
export type CheckedRule = Pick<AutomodRule, 'id' | 'mode' | 'trigger' | 'exempt_role_ids' | 'exempt_room_ids'>

/** The active rules of a space, in the order of their creation, and a matcher that checks texts by them. */
export interface SpaceRules<Rule extends CheckedRule = AutomodRule> {
  readonly rules: readonly Rule[]
  readonly matcher: TextMatcher
  /** True if the matcher needs the codes of the space's own invites. */
  readonly needsCodes: boolean
}

const IN_TEXTS: readonly AutomodTriggerType[] = ['words', 'links', 'invites', 'capitals']
const IN_NAMES: readonly AutomodTriggerType[] = ['words', 'links', 'invites']

/** @param own facts about this server and the space. They are read at each check, because the codes may change */
export async function compileRules<Rule extends CheckedRule>(
  all: readonly Rule[],
  own: OwnServer,
): Promise<SpaceRules<Rule>> {
  const rules = all.filter(({ mode }) => mode !== 'off')
  const ofTexts = rules.filter(({ trigger }) => IN_TEXTS.includes(trigger.type))
  const needsCodes = rules.some(({ trigger }) => trigger.type === 'invites')
  return { rules, matcher: await compileMatcher(ofTexts, own), needsCodes }
}

/** Returns the rules that check the text and exempt neither the writer nor the room. */
export function applying<Rule extends CheckedRule>(rules: readonly Rule[], written: Looked): Rule[] {
  return rules.filter((rule) => looksAt(rule, written.source) && !exempts(rule, written))
}

interface Looked {
  readonly source: AutomodSource
  readonly roomId: string | null
  readonly writer: Pick<Writer, 'roles'>
}

function exempts(
  { exempt_role_ids, exempt_room_ids }: CheckedRule,
  { writer: { roles }, roomId }: Looked,
): boolean {
  const isExemptRoom = roomId !== null && exempt_room_ids.includes(roomId)
  return isExemptRoom || exempt_role_ids.some((id) => roles.includes(id))
}

/** Names are checked for words, links and invites only. */
function looksAt({ trigger }: CheckedRule, source: AutomodSource): boolean {
  return isMessage(source) || IN_NAMES.includes(trigger.type)
}

function isMessage(source: AutomodSource): boolean {
  return source === 'message' || source === 'edit' || source === 'webhook' || source === 'bot_answer'
}
