/** The header with the reason of a change: UTF-8, percent-encoded. */
export const AUDIT_REASON_HEADER = 'x-audit-reason'

/** Maximum length of a reason, in Unicode code points. */
export const MAX_AUDIT_REASON = 512
