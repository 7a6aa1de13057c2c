import type { AutomodRule } from '@foyer/protocol/automod'

/** Replaces a rule in the list, or appends it. */
export function withRule(rules: readonly AutomodRule[], rule: AutomodRule): AutomodRule[] {
  const isKnown = rules.some(({ id }) => id === rule.id)
  return isKnown ? rules.map((other) => (other.id === rule.id ? rule : other)) : [...rules, rule]
}

export function withoutRule(rules: readonly AutomodRule[], ruleId: string): AutomodRule[] {
  return rules.filter(({ id }) => id !== ruleId)
}
