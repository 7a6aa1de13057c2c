import { LoginRules, UpdateLoginRulesBody } from '@foyer/protocol/second-factors'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import { lacksSecondFactor, readSecondFactorRule } from '#src/kernel/secrets/second-factor-rule.ts'
import { accessOperator } from '#src/operating/operators/access.ts'
import { updateLoginRules } from './actions.ts'

const tags = ['Operators']
const url = '/api/operator/login-rules'
const response = { 200: LoginRules }

export function loginRuleRoutes(app: App, deps: { database: Database }): void {
  const { database } = deps

  app.get(
    url,
    { config: human, schema: { tags, summary: 'Get Log-In Rules', response } },
    async (request) => {
      await accessOperator(database, request.caller)
      return { second_factor_for: await readSecondFactorRule(database) }
    },
  )

  app.route({
    method: updateMethods,
    url,
    config: human,
    schema: { tags, summary: 'Update Log-In Rules', body: UpdateLoginRulesBody, response },
    handler: async (request) => {
      const access = await accessOperator(database, request.caller)
      const body = await readBody(request)
      const isStrict = body.second_factor_for !== undefined && body.second_factor_for !== 'nobody'
      // An operator without a second factor would lock themselves out.
      if (isStrict && lacksSecondFactor(request.caller)) throw new ApiError('second_factor_needed')
      return updateLoginRules(deps, access, body)
    },
  })
}
