import type { Application } from '@foyer/protocol/applications'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findApplication } from './queries.ts'

/** @throws ApiError 404 unless the application is the caller's or public */
export async function accessApplication(
  database: Queryable,
  caller: Caller,
  appId: string,
): Promise<Application> {
  const application = await findApplication(database, appId)
  const mayRead = application?.bot_public || application?.owner_id === caller.user.id
  if (application === undefined || !mayRead) throw new ApiError('unknown_application')
  return application
}

/** @throws ApiError 404 for everyone but the application's owner, even if the application is public */
export async function accessOwnApplication(
  database: Queryable,
  caller: Caller,
  appId: string,
): Promise<Application> {
  const application = await findApplication(database, appId)
  if (application?.owner_id !== caller.user.id) throw new ApiError('unknown_application')
  return application
}
