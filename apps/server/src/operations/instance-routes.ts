import { Instance } from '@foyer/protocol/instance'
import type { Database } from '#src/kernel/database/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { sql } from '#src/kernel/sql/sql.ts'

export interface InstanceDeps {
  database: Pick<Database, 'query'>
  config: { version: string; smtpUrl: string | undefined }
}

/** Serves what a client needs before signing in. */
export function instanceRoutes(app: App, { database, config }: InstanceDeps): void {
  let isEmpty = true
  const schema = { tags: ['Instance'], summary: 'Get Instance', response: { 200: Instance } }
  app.get('/api/instance', { config: { access: 'public' }, schema }, async () => {
    // Stays false once there was a user, so nothing is queried again.
    isEmpty &&= await hasNoUsers(database)
    return { version: config.version, is_empty: isEmpty, has_mail: config.smtpUrl !== undefined }
  })
}

async function hasNoUsers(database: InstanceDeps['database']): Promise<boolean> {
  const rows = await database.query(sql`select from users limit 1`)
  return rows.length === 0
}
