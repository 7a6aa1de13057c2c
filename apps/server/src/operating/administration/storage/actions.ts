import type { StorageSurvey } from '@foyer/protocol/operator-storage'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueUnlessThere } from '#src/kernel/jobs.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { findSurvey, SURVEY_STORAGE, surveyState } from './queries.ts'

export interface StorageAdministrationDeps {
  database: Database
}

/** Queues a survey, unless one is waiting or running. */
export async function askForSurvey(
  { database }: StorageAdministrationDeps,
  access: OperatorAccess,
): Promise<StorageSurvey> {
  await database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    const turn = { queue: SURVEY_STORAGE, key: SURVEY_STORAGE }
    if (await enqueueUnlessThere(transaction, SURVEY_STORAGE, turn))
      await logOperation(transaction, access, { action: 'storage_survey', type: 'server' })
  })
  const [state, { progress }] = await Promise.all([surveyState(database), findSurvey(database)])
  return { state, progress: state === 'running' ? progress : 0, failure: null }
}
