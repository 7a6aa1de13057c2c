import { findApplication } from '#src/integrations/applications/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'

/**
 * Access for the application's owner and its bot.
 * @throws ApiError 404 for everyone else, as if it did not exist
 */
export async function accessCommands(database: Queryable, { user }: Caller, appId: string): Promise<void> {
  const application = await findApplication(database, appId)
  const isTheirs = user.id === application?.owner_id || user.id === application?.id
  if (!isTheirs) throw new ApiError('unknown_application')
}
