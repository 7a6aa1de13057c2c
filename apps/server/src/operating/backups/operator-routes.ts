import { BackupOverview, BackupRun } from '@foyer/protocol/operator-backups'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { enqueueUnlessThere } from '#src/kernel/jobs.ts'
import { accessOperator, holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { BACKUP_QUEUE } from './jobs.ts'
import { BackupListing } from './listing.ts'
import { readBackups } from './overview.ts'
import { BACK_UP_NOW, findRunState } from './runs.ts'

const tags = ['Operators']
const url = '/api/operator/backups'

export interface BackupAdministrationDeps {
  database: Database
  config: Config
}

export function backupAdministrationRoutes(app: App, deps: BackupAdministrationDeps): void {
  listRoute(app, deps, new BackupListing(deps.config))
  createRoute(app, deps)
}

function listRoute(app: App, { database, config }: BackupAdministrationDeps, listing: BackupListing): void {
  const schema = { tags, summary: 'List Backups', response: { 200: BackupOverview } }
  app.get(url, { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return readBackups({ config, database, listing })
  })
}

function createRoute(app: App, deps: BackupAdministrationDeps): void {
  const schema = { tags, summary: 'Back Up Now', response: { 202: BackupRun } }
  app.post(url, { config: human, schema }, async (request, reply) => {
    const access = await accessOperator(deps.database, request.caller)
    return reply.code(202).send(await askForBackup(deps, access))
  })
}

/**
 * Queues a backup, unless one is waiting or running.
 * @throws ApiError 409 without BACKUP_TO
 */
async function askForBackup(
  { database, config }: BackupAdministrationDeps,
  access: OperatorAccess,
): Promise<BackupRun> {
  if (config.backup.to === undefined) throw new ApiError('backups_off')
  await database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    const { state } = await findRunState(transaction)
    const turn = { queue: BACKUP_QUEUE, key: BACK_UP_NOW }
    if (state === 'idle' && (await enqueueUnlessThere(transaction, BACK_UP_NOW, turn)))
      await logOperation(transaction, access, { action: 'backup_create', type: 'server' })
  })
  return findRunState(database)
}
