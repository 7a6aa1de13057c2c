import type { Database } from '#src/kernel/database/database.ts'
import type { Mailer } from '#src/kernel/mail/mail.ts'

export interface AuthJobDeps {
  database: Database
  mailer: Mailer
  /** Base of links in mails: the public address, or the one the server listens on. */
  publicUrl: string
  /** Name of the server in mails. */
  serverName: string
}
