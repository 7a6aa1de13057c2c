import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import { giveUpOverdue } from './actions/failure.ts'
import { Deadlines } from './deadlines.ts'
import { Polls } from './polls.ts'
import { InteractionTokens } from './tokens.ts'

export interface InteractionParts {
  interactionTokens: InteractionTokens
  interactionPolls: Polls
  interactionDeadlines: Deadlines
}

export function createInteractionParts(deps: {
  secretKey: string
  database: Database
  log: Logger
}): InteractionParts {
  const { secretKey, database, log } = deps
  return {
    interactionTokens: new InteractionTokens(secretKey),
    interactionPolls: new Polls(database),
    interactionDeadlines: new Deadlines({ failOverdue: () => giveUpOverdue(database), log }),
  }
}
