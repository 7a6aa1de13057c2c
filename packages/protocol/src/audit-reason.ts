/** The header with the reason of a change: UTF-8, percent-encoded. */
export const AUDIT_REASON_HEADER = 'x-audit-reason'

/** Unicode code points. */
export const MAX_AUDIT_REASON = 512
