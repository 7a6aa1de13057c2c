import type { RegistrationSettings } from '@foyer/protocol/registration'
import type { ServerSetting } from '@foyer/protocol/server-settings'
import type { DescribedSetting } from '#src/kernel/described-settings.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findSavedRules } from '#src/people/registration/settings.ts'

type Rules = Pick<RegistrationSettings, 'mode' | 'domains' | 'puzzle'>

/** Environment variables that only set the initial value of a rule. Operators change the rule while the server runs. */
const live: Readonly<Record<string, keyof Rules>> = {
  REGISTRATION: 'mode',
  REGISTRATION_DOMAINS: 'domains',
  SIGNUP_PUZZLE: 'puzzle',
}

/** Returns the current settings. */
export async function showSettings(
  database: Queryable,
  settings: readonly DescribedSetting[],
): Promise<ServerSetting[]> {
  const saved = await findSavedRules(database)
  return settings.map(({ isSet, isSecret, ...setting }) => {
    const rule = live[setting.variable]
    const shown = { ...setting, is_set: isSet, is_secret: isSecret, is_live: rule !== undefined }
    const chosen = rule === undefined ? null : saved[rule]
    if (chosen === null) return shown
    const value = String(chosen)
    return { ...shown, value: value === '' ? null : value, is_set: value !== '', source: 'console' as const }
  })
}
