import { Instance } from '@foyer/protocol/instance'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { hasOperators } from '#src/operating/operators/queries.ts'
import { findPasskeySite } from '#src/people/auth/passkeys/site.ts'
import type { Registration } from '#src/people/registration/settings.ts'

export interface InstanceDeps {
  database: Pick<Database, 'query'>
  registration: Registration
  config: Pick<Config, 'version' | 'smtpUrl' | 'publicUrl' | 'passwordLogin' | 'oidcProviders'>
}

/** Serves what a client needs before signing in. */
export function instanceRoutes(app: App, { database, config, registration }: InstanceDeps): void {
  let isEmpty = true
  const schema = { tags: ['Instance'], summary: 'Get Instance', response: { 200: Instance } }
  app.get('/api/instance', { config: { access: 'public' }, schema }, async (request) => {
    // Stays false once there was a user, so that nothing is queried again.
    isEmpty &&= await hasNoUsers(database)
    const firstWillBe = isEmpty && registration.firstBecomesOperator
    const awaitsOperator = !firstWillBe && !(await hasOperators(database))
    const { mode, question, domains } = await registration.current()
    return {
      version: config.version,
      is_empty: isEmpty,
      awaits_operator: awaitsOperator,
      has_mail: config.smtpUrl !== undefined,
      passkey_origin: findPasskeySite(request, config)?.origin ?? null,
      registration: {
        mode,
        question: mode === 'approval' ? question : null,
        has_domain_rule: domains.length > 0,
      },
      login: {
        passwords: config.passwordLogin,
        providers: config.oidcProviders.map(({ id, name }) => ({ id, name })),
      },
    }
  })
}

async function hasNoUsers(database: InstanceDeps['database']): Promise<boolean> {
  const rows = await database.query(sql`select from users limit 1`)
  return rows.length === 0
}
