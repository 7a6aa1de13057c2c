import type { AutomodMode, AutomodTrial, TryAutomodRuleBody } from '@foyer/protocol/automod'
import { Automod } from '@foyer/sdk/api/automod'
import { useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { catchesMost } from './broad-rule.ts'

/** A rule that would have caught most messages, and how it is saved if the user confirms. */
export interface BroadRule {
  readonly trial: AutomodTrial
  save(): Promise<void>
}

export interface TurningOn {
  /** Null unless the user has to confirm. */
  readonly broad: BroadRule | null
  /** Saves a rule. If it is on, it is tried first, and the user has to confirm it if it would catch most messages. */
  save(mode: AutomodMode, tried: TryAutomodRuleBody, run: () => Promise<void>): Promise<void>
  cancel(): void
}

export function useTurningOn(spaceId: string): TurningOn {
  const { client } = useSession()
  const [broad, setBroad] = useState<BroadRule | null>(null)

  async function save(mode: AutomodMode, tried: TryAutomodRuleBody, run: () => Promise<void>) {
    if (mode !== 'on') return run()
    const trial = await client.api(Automod).tryRule(spaceId, tried)
    if (catchesMost(trial)) setBroad({ trial, save: run })
    else await run()
  }

  return { broad, save, cancel: () => setBroad(null) }
}
