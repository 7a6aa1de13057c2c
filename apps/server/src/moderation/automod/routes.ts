import {
  AutomodHitPage,
  AutomodHitQuery,
  AutomodRule,
  AutomodRuleParams,
  AutomodTrial,
  CreateAutomodRuleBody,
  TryAutomodRuleBody,
  UpdateAutomodRuleBody,
} from '@foyer/protocol/automod'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import type { ChargeDeps } from '#src/kernel/limits/rate-limits.ts'
import { listRules } from '#src/moderation/screening/queries.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessRule, checkTrigger, createRule, deleteRule, updateRule } from './actions/rules.ts'
import { readHits } from './hits.ts'
import { type TrialDeps, tryRule } from './trial.ts'

interface Deps extends TrialDeps, ChargeDeps {
  database: Database
  snapshots: Snapshots
}

const tags = ['Automod']
const base = '/api/spaces/:spaceId/automod'
const config = { limits: ['structureChanges'] } as const

export function automodRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  tryRoute(app, deps)
  hitsRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const response = { 200: Type.Array(AutomodRule) }
  const schema = { tags, summary: 'List Automod Rules', params: SpaceParams, response }
  app.get(`${base}/rules`, { schema }, async ({ caller, params }) => {
    await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    return listRules(deps.database, params.spaceId)
  })
}

function createRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Create Automod Rule',
    params: SpaceParams,
    body: CreateAutomodRuleBody,
    response: { 200: AutomodRule },
  }
  app.post(`${base}/rules`, { config, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    return createRule(deps, access, await readBody(request))
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Automod Rule',
    params: AutomodRuleParams,
    body: UpdateAutomodRuleBody,
    response: { 200: AutomodRule },
  }
  const handler = { method: updateMethods, url: `${base}/rules/:ruleId`, config, schema } as const
  app.route({
    ...handler,
    handler: async (request) => {
      const { caller, params } = request
      const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
      await accessRule(deps.database, access, params.ruleId)
      return updateRule(deps, access, params.ruleId, await readBody(request))
    },
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const response = { 204: Type.Null() }
  const schema = { tags, summary: 'Delete Automod Rule', params: AutomodRuleParams, response }
  app.delete(`${base}/rules/:ruleId`, { schema }, async ({ caller, params }, reply) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    await deleteRule(deps, access, params.ruleId)
    return reply.code(204).send(null)
  })
}

function tryRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Try Automod Rule',
    description: 'Lists which of the newest messages a rule would have caught, without saving it.',
    params: SpaceParams,
    body: TryAutomodRuleBody,
    response: { 200: AutomodTrial },
  }
  app.post(`${base}/rules/try`, { schema }, async (request) => {
    const { caller, params } = request
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    const body = await readBody(request)
    checkTrigger(body.trigger)
    return tryRule(deps, access, body)
  })
}

function hitsRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Automod Hits',
    description:
      'Lists messages that rules caught in the last seven days, in rooms that the caller may view, newest first.',
    params: SpaceParams,
    querystring: AutomodHitQuery,
    response: { 200: AutomodHitPage },
  }
  app.get(`${base}/hits`, { schema }, async ({ caller, params, query }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    return readHits(deps.database, access, query)
  })
}
