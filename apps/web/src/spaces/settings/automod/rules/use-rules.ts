import type { AutomodRule } from '@foyer/protocol/automod'
import type { Events } from '@foyer/protocol/events'
import { Automod } from '@foyer/sdk/api/automod'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { withoutRule, withRule } from './listed-rules.ts'

export interface Rules {
  /** Undefined while loading. */
  readonly rules: readonly AutomodRule[] | undefined
  /** Error message if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Applies a rule that was just saved, before its event arrives. */
  put(rule: AutomodRule): void
  remove(ruleId: string): void
}

/** The AutoMod rules of a space, kept up to date. */
export function useRules(spaceId: string): Rules {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.api(Automod).listRules(spaceId, options),
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const onUpdate = useCallback(
    ({ space_id }: Events['AUTOMOD_RULES_UPDATE']) => {
      if (space_id === spaceId) again()
    },
    [spaceId, again],
  )
  // The event has no data, because rules can be long. Few members receive it, so few requests follow.
  useEvent('AUTOMOD_RULES_UPDATE', onUpdate)
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  return {
    rules: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    put: (rule) => change((rules) => withRule(rules, rule)),
    remove: (ruleId) => change((rules) => withoutRule(rules, ruleId)),
  }
}
