import { MAX_AUTOMOD_RULES } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

export const automodWords: Words = {
  too_many_automod_rules: t('This space already has {max} rules. Delete one first.', {
    max: MAX_AUTOMOD_RULES,
  }),
  unknown_automod_rule: t('This rule no longer exists.'),
}
