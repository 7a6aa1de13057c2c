import type { OwnReport } from '@foyer/protocol/reports'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { listOperatorIds } from '#src/operating/operators/queries.ts'
import type { ReportRow } from '../queries.ts'

/**
 * Makes the clients of moderators or operators request the reports again. The event has no data, because not all of them
 * may see the same reports.
 */
export async function publishReports(transaction: Transaction, spaceId: string | null): Promise<void> {
  if (spaceId !== null) {
    transaction.publish(event(topicOf.space(spaceId), 'REPORTS_UPDATE', { space_id: spaceId }))
    return
  }
  for (const userId of await listOperatorIds(transaction))
    transaction.publish(event(topicOf.user(userId), 'SERVER_REPORTS_UPDATE', {}))
}

/** Publishes a decision to the reporter. */
export function publishOwnReport(transaction: Transaction, row: ReportRow): void {
  transaction.publish(event(topicOf.user(row.reporter_id), 'REPORT_UPDATE', ownReportOf(row)))
}

function ownReportOf(row: ReportRow): OwnReport {
  const { id, target_type, target_id, about, reason, text, state, result, answer, created_at, closed_at } =
    row
  return { id, target_type, target_id, about, reason, text, state, result, answer, created_at, closed_at }
}
