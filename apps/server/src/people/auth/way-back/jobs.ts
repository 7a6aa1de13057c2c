import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobTable } from '#src/kernel/jobs.ts'
import type { AuthJobDeps } from '../job-deps.ts'
import { LinkHost, withLinkHost } from '../link-host.ts'
import { findMailRecipient } from '../queries.ts'
import { takenBackMail, wayBackMail } from './mails.ts'
import { createWayBackToken } from './queries.ts'

const Changed = Type.Object({ snapshot_id: Type.Integer(), link_host: Type.Optional(LinkHost) })
const TakenBack = Type.Object({ user_id: Type.String() })

/** Sends mails about changes of email address, password and second factor. */
export function wayBackJobs({ database, mailer, publicUrl, serverName }: AuthJobDeps): JobTable['handlers'] {
  return {
    mail_way_back: async (given) => {
      const { snapshot_id, link_host } = Parse(Changed, given)
      // Undefined if the change was undone before.
      const change = await createWayBackToken(database, snapshot_id)
      const parts = { serverName, publicUrl: withLinkHost(publicUrl, link_host) }
      if (change !== undefined) await mailer.send(wayBackMail(change, parts))
    },
    mail_taken_back: async (given) => {
      const recipient = await findMailRecipient(database, Parse(TakenBack, given).user_id)
      if (recipient !== undefined) await mailer.send(takenBackMail(recipient, serverName))
    },
  }
}
