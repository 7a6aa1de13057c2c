import { type ExportKind, exportKinds } from '@foyer/protocol/exports'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobContext, JobTable } from '#src/kernel/jobs.ts'
import type { Mailer } from '#src/kernel/mail/mail.ts'
import { fragment } from '#src/kernel/sql/sql.ts'
import { sweepRuns } from '#src/kernel/sweeping.ts'
import { findMailRecipient } from '#src/people/auth/queries.ts'
import { endExpired } from './endings.ts'
import { readyMail } from './mails.ts'
import { MAIL_EXPORT_READY, type MakingDeps, makeExport } from './making.ts'
import { enqueueExport, MAKE_EXPORT } from './queue.ts'

const Payload = Type.Object({ export_id: Type.String() })
const Ready = Type.Object({ user_id: Type.String(), kind: Type.Enum([...exportKinds]) })

export interface ExportJobDeps extends MakingDeps {
  mailer: Mailer
  publicUrl: string
  /** Name of the server in mails. */
  serverName: string
}

/** Jobs that make exports, and delete them a day later. */
export function exportJobs(deps: ExportJobDeps): JobTable {
  return {
    handlers: {
      [MAKE_EXPORT]: (payload, { abortSignal = new AbortController().signal }: JobContext = {}) =>
        makeExport(deps, Parse(Payload, payload).export_id, abortSignal),
      [MAIL_EXPORT_READY]: (payload) => mailReady(deps, Parse(Ready, payload)),
      sweep_exports: () => sweep(deps),
    },
    schedule: ['*/5 * * * * sweep_exports'],
  }
}

function sweep({ database }: ExportJobDeps): Promise<void> {
  return sweepRuns(database, {
    table: fragment`exports`,
    end: (limit) => database.transaction((transaction) => endExpired(transaction, limit)),
    enqueue: (id) => enqueueExport(database, id),
  })
}

/** No mail is sent for a deleted account. */
async function mailReady(
  { database, mailer, publicUrl, serverName }: ExportJobDeps,
  { user_id, kind }: { user_id: string; kind: ExportKind },
): Promise<void> {
  const recipient = await findMailRecipient(database, user_id)
  if (recipient !== undefined) await mailer.send(readyMail(recipient, kind, { publicUrl, serverName }))
}
