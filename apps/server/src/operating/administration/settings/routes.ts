import { ServerSettings } from '@foyer/protocol/server-settings'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { showSettings } from './showing.ts'

interface Deps {
  database: Database
  config: Pick<Config, 'settings'>
}

/** Shows operators the settings of this process. Its environment sets them. */
export function settingRoutes(app: App, { database, config }: Deps): void {
  const schema = { tags: ['Operators'], summary: 'Get Server Settings', response: { 200: ServerSettings } }
  app.get('/api/operator/settings', { config: human, schema }, async (request) => {
    await accessOperator(database, request.caller)
    return { settings: await showSettings(database, config.settings) }
  })
}
