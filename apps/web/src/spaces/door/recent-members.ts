import { t } from '#src/language/texts.ts'

const HOUR = 60

/** Time spans in minutes, with labels. Members who joined within the chosen span must wait as well. */
export const recentMembers = [
  ['10', t('Members who joined in the last 10 minutes')],
  [String(HOUR), t('Members who joined in the last hour')],
  [String(24 * HOUR), t('Members who joined in the last 24 hours')],
] as const

/** Explains the effect on recent members. Members with a role keep access, because moderators know them. */
export const LOSE_ACCESS = t(
  'They lose access to this space right away, until a moderator lets them in again. Members with a role stay.',
)
