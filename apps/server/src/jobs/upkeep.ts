import type { Logger } from 'pino'
import { sweepCopies } from '#src/integrations/follows/copies.ts'
import { sweepInvites } from '#src/invites/jobs.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { databaseTime, dropPartitions, makePartitions } from '#src/kernel/database/journal-partitions.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { fragment, sql } from '#src/kernel/sql/sql.ts'
import { sweepExpired, sweepInBatches } from '#src/kernel/sweeping.ts'
import { sweepTimeouts } from '#src/members/timeouts/queries.ts'
import { sweepTurns } from '#src/messages/slow-mode.ts'
import { sweepAuditLog } from '#src/moderation/audit-log/queries.ts'
import { sweepNewcomers } from '#src/moderation/door/queries.ts'
import { sweepReports } from '#src/moderation/reports/sweeps.ts'
import { sweepAutomod } from '#src/moderation/screening/queries.ts'
import { sweepHealth } from '#src/operating/administration/health/queries.ts'
import { sweepSurvey } from '#src/operating/administration/storage/queries.ts'
import { sweepAnnouncements } from '#src/operating/announcements/queries.ts'
import { sweepOperatorLog } from '#src/operating/operators/log.ts'
import { sweepSessions } from '#src/people/auth/actions/sessions.ts'
import { sweepKnownDevices } from '#src/people/auth/devices/queries.ts'
import { sweepRegistrations } from '#src/people/registration/sweeps.ts'
import { sweepSubscriptions } from '#src/web/web-feeds/subscriptions.ts'

interface UpkeepDeps {
  database: Database
  log: Pick<Logger, 'error'>
}

/** The server's own upkeep: creates journal partitions and deletes expired rows. */
export function upkeepJobs(deps: UpkeepDeps): JobTable {
  return {
    handlers: {
      journal_partitions: () => maintainPartitions(deps.database),
      sweep: () => sweep(deps),
    },
    schedule: ['7 * * * * journal_partitions', '*/10 * * * * sweep'],
  }
}

async function maintainPartitions(database: Database): Promise<void> {
  await makePartitions(database, Date.now())
  await dropPartitions(database, await databaseTime(database))
}

const sweeps: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  invites: sweepInvites,
  sessions: sweepSessions,
  mail_tokens: (database) => sweepExpired(database, fragment`mail_tokens`),
  way_backs: (database) => sweepExpired(database, fragment`account_snapshots`),
  known_devices: sweepKnownDevices,
  passkey_challenges: (database) => sweepExpired(database, fragment`passkey_challenges`),
  owner_proofs: (database) => sweepExpired(database, fragment`owner_proofs`),
  message_nonces: sweepNonces,
  message_copies: (database) => sweepInBatches((limit) => sweepCopies(database, limit)),
  feed_subscriptions: (database) => sweepInBatches((limit) => sweepSubscriptions(database, limit)),
  slow_mode_turns: sweepTurns,
  audit_log: sweepAuditLog,
  timeouts: sweepTimeouts,
  automod: sweepAutomod,
  newcomers: sweepNewcomers,
  registrations: sweepRegistrations,
  acme_challenges: (database) => sweepExpired(database, fragment`acme_challenges`),
  oidc_tokens: (database) => sweepExpired(database, fragment`spent_oidc_tokens`),
  operator_log: sweepOperatorLog,
  announcements: sweepAnnouncements,
  reports: sweepReports,
  health: sweepHealth,
  storage_survey: sweepSurvey,
  failed_jobs: sweepFailedJobs,
}

/** Runs each sweep separately: one that fails does not stop the others. */
async function sweep({ database, log }: UpkeepDeps): Promise<void> {
  const errors: unknown[] = []
  for (const [what, sweepThem] of Object.entries(sweeps)) {
    await sweepThem(database).catch((error: unknown) => {
      log.error({ err: error, what }, 'expired rows could not be deleted')
      errors.push(error)
    })
  }
  if (errors.length > 0) throw new AggregateError(errors, 'some expired rows could not be deleted')
}

async function sweepNonces(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from message_nonces where ctid = any(array(
        select ctid from message_nonces where created_at < now() - interval '24 hours'
        order by created_at limit ${limit}
        for update skip locked))
      returning message_id`),
  )
}

/**
 * Deletes jobs whose last attempt failed a day ago, because their payloads name people, who may have deleted their
 * accounts.
 */
async function sweepFailedJobs(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      select id from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '1 day'
        limit ${limit}))`),
  )
}
