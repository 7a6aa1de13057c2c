import type { Member } from '@foyer/protocol/members'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'

/** Publishes the new end of a member's timeout; null if it is over. */
export function publishTimeout(transaction: Transaction, member: Member, timeout_until: string | null): void {
  const changed = { ...member, timeout_until }
  transaction.publish(event(topicOf.space(member.space_id), 'SPACE_MEMBER_UPDATE', changed))
}
