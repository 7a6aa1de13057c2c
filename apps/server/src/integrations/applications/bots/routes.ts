import { BotMemberParams, Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { Type } from 'typebox'
import { type App, human, putMethods } from '#src/kernel/http/types.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { addBot, removeBot } from './actions.ts'

export interface BotDeps extends ScreeningDeps {
  snapshots: Snapshots
}

const tags = ['Bots']
const url = '/api/spaces/:spaceId/bots/:botUserId'

export function botRoutes(app: App, deps: BotDeps): void {
  app.route({
    method: putMethods,
    url,
    config: human,
    schema: { tags, summary: 'Add Bot to Space', params: BotMemberParams, response: { 200: Member } },
    handler: async (request) => {
      const { spaceId, botUserId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId, Permission.ManageBots)
      return addBot(deps, access, botUserId)
    },
  })

  app.delete(
    url,
    {
      config: human,
      schema: {
        tags,
        summary: 'Remove Bot from Space',
        params: BotMemberParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { spaceId, botUserId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId, Permission.ManageBots)
      await removeBot(deps, access, botUserId)
      return reply.code(204).send(null)
    },
  )
}
