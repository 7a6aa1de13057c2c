import { has, Permission } from '@foyer/protocol/permissions'
import type { Transaction } from '#src/kernel/database/database.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'
import { viewOf } from '#src/spaces/snapshots.ts'
import type { Deciders } from './actions/deciding.ts'
import type { Queue, ReportRow } from './queries.ts'

/** Returns the reports of the space that the moderator may see. */
export function queueOf(access: SpaceAccess): Queue {
  const { spaceId, snapshot, member, caller, permissions } = access
  const mayView = viewOf(snapshot, member)
  const isAdministrator = has(permissions, Permission.Administrator)
  const roomIds = isAdministrator ? null : [...snapshot.rooms.keys()].filter((id) => mayView(id))
  return { spaceId, callerId: caller.user.id, roomIds }
}

/** Returns the moderators of a space as deciders. Closed reports are logged in the audit log of the space. */
export function moderators(access: SpaceAccess): Deciders {
  return {
    queue: queueOf(access),
    async hold(transaction: Transaction) {
      const held = await holdSpace(transaction, access, 'ManageReports')
      const log = (closed: readonly ReportRow[]) =>
        record(transaction, held, 'report_close', {
          ...targetOf(held.snapshot.space),
          after: closingOf(closed),
        })
      return { queue: queueOf(held), log }
    },
  }
}

export function operatorsQueue(callerId: string): Queue {
  return { spaceId: null, callerId, roomIds: null }
}

/** Returns the operators of the server as deciders. Closed reports are logged in the operators' log. */
export function operators(access: OperatorAccess, callerId: string): Deciders {
  const queue = operatorsQueue(callerId)
  return {
    queue,
    async hold(transaction: Transaction) {
      await holdOperator(transaction, access)
      const log = (closed: readonly ReportRow[]) =>
        logOperation(transaction, access, {
          action: 'report_close',
          type: 'report',
          id: closed[0]?.id ?? '',
          details: closingOf(closed),
        })
      return { queue, log }
    },
  }
}

/**
 * Returns the facts for the log entry. The entry names no people: neither the reporter nor the reported user may learn of
 * the report from a log.
 */
function closingOf(closed: readonly ReportRow[]) {
  return { result: closed[0]?.result ?? null, count: closed.length }
}
