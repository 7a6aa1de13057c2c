import type { Deps } from './deps.ts'
import { createHttp } from './kernel/http/server.ts'
import type { App } from './kernel/http/types.ts'
import { spaceRoutes } from './spaces/routes.ts'

/** The HTTP server with every feature of the API. */
export async function buildApp(deps: Deps): Promise<App> {
  const app = createHttp({ ...deps, trustedProxies: deps.config.trustedProxies })
  spaceRoutes(app, deps)
  return app
}
