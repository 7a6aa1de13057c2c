import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { plainError } from '../jobs/facts.ts'
import { SURVEY_STORAGE, saveFailure, saveFindings } from './queries.ts'
import { surveyStorage } from './survey.ts'

interface SurveyJobDeps {
  database: Database
  stores: Pick<Stores, 'own'>
  config: Pick<Config, 's3' | 'dataDir'>
  log: Pick<Logger, 'error'>
}

/** Surveys the storage when an operator asks for it. */
export function surveyJobs(deps: SurveyJobDeps): JobTable {
  const run = (signal = new AbortController().signal) => survey(deps, signal)
  return { handlers: { [SURVEY_STORAGE]: (_payload, context) => run(context?.abortSignal) }, schedule: [] }
}

/** Runs a survey. A failure is shown and not retried, unless the server stopped: then the next process starts over. */
async function survey(deps: SurveyJobDeps, signal: AbortSignal): Promise<void> {
  const { database, config, log } = deps
  const ownFolder = config.s3 === undefined ? join(config.dataDir, 'files') : undefined
  try {
    await saveFindings(database, await surveyStorage({ ...deps, ownFolder }, signal))
  } catch (error) {
    if (signal.aborted) throw error
    log.error({ err: error }, 'the survey of the storage failed')
    await saveFailure(database, plainError(wordsOf(error)))
  }
}
