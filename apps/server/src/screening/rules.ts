import type { AutomodRule, AutomodSource, AutomodTriggerType } from '@foyer/protocol/automod'
import type { OwnServer } from './matching/link-rules.ts'
import { compileMatcher, type TextMatcher } from './matching/matcher.ts'
import type { Writer } from './written.ts'

/** The rules of a space that do something, in the order of their creation, and the matcher of their texts. */
export interface SpaceRules {
  readonly rules: readonly AutomodRule[]
  readonly matcher: TextMatcher
  /** True if the matcher asks for the codes of the space's own invites. */
  readonly needsCodes: boolean
}

const IN_TEXTS: readonly AutomodTriggerType[] = ['words', 'links', 'invites', 'capitals']
const IN_NAMES: readonly AutomodTriggerType[] = ['words', 'links', 'invites']

/** @param own read at each search, so that its codes may change */
export async function compileRules(all: readonly AutomodRule[], own: OwnServer): Promise<SpaceRules> {
  const rules = all.filter(({ mode }) => mode !== 'off')
  const ofTexts = rules.filter(({ trigger }) => IN_TEXTS.includes(trigger.type))
  const needsCodes = rules.some(({ trigger }) => trigger.type === 'invites')
  return { rules, matcher: await compileMatcher(ofTexts, own), needsCodes }
}

/** Returns whether the rule leaves the writer or the room alone. */
export function exempts(
  { exempt_role_ids, exempt_room_ids }: Pick<AutomodRule, 'exempt_role_ids' | 'exempt_room_ids'>,
  { roles }: Pick<Writer, 'roles'>,
  roomId: string | null,
): boolean {
  const isExemptRoom = roomId !== null && exempt_room_ids.includes(roomId)
  return isExemptRoom || exempt_role_ids.some((id) => roles.includes(id))
}

/** Returns whether the rule looks at what comes from there. Names are checked for words, links and invites only. */
export function looksAt({ trigger }: Pick<AutomodRule, 'trigger'>, source: AutomodSource): boolean {
  return isMessage(source) || IN_NAMES.includes(trigger.type)
}

function isMessage(source: AutomodSource): boolean {
  return source === 'message' || source === 'edit' || source === 'webhook' || source === 'bot_answer'
}
