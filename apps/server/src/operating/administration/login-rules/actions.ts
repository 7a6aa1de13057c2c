import type { LoginRules, UpdateLoginRulesBody } from '@foyer/protocol/second-factors'
import type { Database } from '#src/kernel/database/database.ts'
import { lockSettings, publishSettingsChange } from '#src/kernel/database/server-settings.ts'
import { readSecondFactorRule, saveSecondFactorRule } from '#src/kernel/secrets/second-factor-rule.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'

/** Changes the rule that decides which users need a second factor. Applies on every process immediately. */
export async function updateLoginRules(
  { database }: { database: Database },
  access: OperatorAccess,
  { second_factor_for: given }: UpdateLoginRulesBody,
): Promise<LoginRules> {
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    await lockSettings(transaction)
    const before = { second_factor_for: await readSecondFactorRule(transaction) }
    if (given === undefined || given === before.second_factor_for) return before
    await saveSecondFactorRule(transaction, given)
    const after = { second_factor_for: given }
    const details = { before, after }
    await logOperation(transaction, access, { action: 'login_rules_update', type: 'server', details })
    publishSettingsChange(transaction)
    return after
  })
}
