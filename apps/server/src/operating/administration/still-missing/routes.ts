import { StillMissing } from '@foyer/protocol/still-missing'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { stillMissingForOperators } from '#src/operating/operations/still-missing.ts'
import { accessOperator } from '#src/operating/operators/access.ts'

const tags = ['Operators']

/** Shows operators the list that the server prints at its start. */
export function stillMissingRoutes(
  app: App,
  { database, config }: { database: Database; config: Config },
): void {
  const schema = { tags, summary: 'Get Still Missing', response: { 200: StillMissing } }
  app.get('/api/operator/still-missing', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return { missing: stillMissingForOperators(config) }
  })
}
