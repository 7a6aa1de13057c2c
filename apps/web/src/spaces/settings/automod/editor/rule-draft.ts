import type {
  AutomodAction,
  AutomodMode,
  AutomodRule,
  AutomodTrigger,
  AutomodTriggerType,
  CreateAutomodRuleBody,
  TryAutomodRuleBody,
  UpdateAutomodRuleBody,
} from '@foyer/protocol/automod'
import { hostOf, linesOf } from './lines.ts'
import type { NumberField } from './number-limits.ts'

/** Texts and numbers as typed. When the type changes, the fields of other types keep their values. */
export interface RuleDraft extends Readonly<Record<NumberField, string>> {
  readonly name: string
  readonly mode: AutomodMode
  readonly type: AutomodTriggerType
  /** One per line, like the other lists. */
  readonly words: string
  readonly allowed: string
  readonly list: 'allow' | 'deny'
  readonly hosts: string
  readonly content_types: string
  readonly sha256: string
  readonly action: AutomodAction
  readonly message: string
  /** Empty for none. */
  readonly alert_room_id: string
  /** Empty for no timeout. */
  readonly timeout_minutes: string
  readonly exempt_role_ids: readonly string[]
  readonly exempt_room_ids: readonly string[]
}

/** A new rule. It starts in test mode. */
export const newRuleDraft: RuleDraft = {
  name: '',
  mode: 'test',
  type: 'words',
  words: '',
  allowed: '',
  list: 'allow',
  hosts: '',
  max: '5',
  count: '3',
  seconds: '60',
  percent: '70',
  min_letters: '15',
  hours: '24',
  content_types: '',
  sha256: '',
  action: 'refuse',
  message: '',
  alert_room_id: '',
  timeout_minutes: '',
  exempt_role_ids: [],
  exempt_room_ids: [],
}

export function draftOf({ trigger, ...rule }: AutomodRule): RuleDraft {
  const { max, count, seconds, percent, min_letters, hours } = trigger
  const numbers = Object.entries({ max, count, seconds, percent, min_letters, hours })
  return {
    ...newRuleDraft,
    name: rule.name,
    mode: rule.mode,
    type: trigger.type,
    words: textOf(trigger.words),
    allowed: textOf(trigger.allowed),
    list: trigger.list ?? newRuleDraft.list,
    hosts: textOf(trigger.hosts),
    ...Object.fromEntries(
      numbers.flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
    ),
    content_types: textOf(trigger.content_types),
    sha256: textOf(trigger.sha256),
    action: rule.action,
    message: rule.message ?? '',
    alert_room_id: rule.alert_room_id ?? '',
    timeout_minutes: rule.timeout_minutes === null ? '' : `${rule.timeout_minutes}`,
    exempt_role_ids: rule.exempt_role_ids,
    exempt_room_ids: rule.exempt_room_ids,
  }
}

export function bodyOf(draft: RuleDraft): Required<CreateAutomodRuleBody> {
  const { name, mode, action, message, alert_room_id, timeout_minutes } = draft
  return {
    name: name.trim(),
    mode,
    ...tryBodyOf(draft),
    action,
    message: message.trim() || null,
    alert_room_id: alert_room_id || null,
    timeout_minutes: timeout_minutes.trim() === '' ? null : Number(timeout_minutes),
  }
}

/** Returns only the fields that the user changed, so that saving keeps the changes of other moderators. */
export function changedFields(
  before: CreateAutomodRuleBody,
  after: CreateAutomodRuleBody,
): UpdateAutomodRuleBody {
  const known: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name])),
  )
}

/** Returns the part of a rule that defines which messages it matches. */
export function tryBodyOf(draft: RuleDraft): Required<TryAutomodRuleBody> {
  return {
    trigger: triggerOf(draft),
    exempt_role_ids: [...draft.exempt_role_ids],
    exempt_room_ids: [...draft.exempt_room_ids],
  }
}

type TriggerFields = (draft: RuleDraft) => Omit<AutomodTrigger, 'type'>

/** The fields of each type of trigger. The server refuses any other field. */
const triggerFields: Readonly<Record<AutomodTriggerType, TriggerFields>> = {
  words: ({ words, allowed }) => ({ words: linesOf(words), allowed: linesOf(allowed) }),
  links: ({ list, hosts }) => ({ list, hosts: [...new Set(linesOf(hosts).map(hostOf))] }),
  invites: () => ({}),
  mentions: ({ max }) => ({ max: Number(max) }),
  repeats: ({ count, seconds }) => ({ count: Number(count), seconds: Number(seconds) }),
  capitals: ({ percent, min_letters }) => ({ percent: Number(percent), min_letters: Number(min_letters) }),
  new_accounts: ({ hours }) => ({ hours: Number(hours) }),
  attachments: ({ content_types, sha256 }) => ({
    content_types: linesOf(content_types),
    sha256: linesOf(sha256),
  }),
}

function triggerOf(draft: RuleDraft): AutomodTrigger {
  return { type: draft.type, ...triggerFields[draft.type](draft) }
}

function textOf(lines: readonly string[] = []): string {
  return lines.join('\n')
}
