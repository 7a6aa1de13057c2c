import { ApplicationParams } from '@foyer/protocol/applications'
import { ApplicationCommand, AvailableCommand, SetCommandsBody } from '@foyer/protocol/commands'
import { ConversationParams } from '@foyer/protocol/conversations'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { ChannelDeps } from '#src/channels/access.ts'
import { accessConversation } from '#src/conversations/access.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import { accessCommands } from './access.ts'
import { setCommands } from './actions.ts'
import { listCommands, listCommandsOf, listCommandsOfSpace } from './queries.ts'

type Deps = ChannelDeps & { database: Database }

const tags = ['Applications']

export function commandRoutes(app: App, deps: Deps): void {
  ownRoutes(app, deps)
  placeRoutes(app, deps)
}

function ownRoutes(app: App, { database }: Deps): void {
  const url = '/api/applications/:appId/commands'
  const response = { 200: Type.Array(ApplicationCommand) }
  const params = ApplicationParams

  app.get(url, { schema: { tags, summary: 'List Commands', params, response } }, async (request) => {
    const { appId } = request.params
    await accessCommands(database, request.caller, appId)
    return listCommands(database, appId)
  })

  app.put(
    url,
    { schema: { tags, summary: 'Set Commands', params, body: SetCommandsBody, response } },
    async (request) => {
      const { appId } = request.params
      await accessCommands(database, request.caller, appId)
      return setCommands({ database }, appId, await readBody(request))
    },
  )
}

function placeRoutes(app: App, deps: Deps): void {
  const response = { 200: Type.Array(AvailableCommand) }

  app.get(
    '/api/spaces/:spaceId/commands',
    { schema: { tags, summary: 'List Commands of Space', params: SpaceParams, response } },
    async (request) => {
      const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
      return listCommandsOfSpace(deps.database, spaceId)
    },
  )

  app.get(
    '/api/conversations/:conversationId/commands',
    { schema: { tags, summary: 'List Commands of Conversation', params: ConversationParams, response } },
    async (request) => {
      const { memberIds } = await accessConversation(deps, request.caller, request.params.conversationId)
      return listCommandsOf(deps.database, memberIds)
    },
  )
}
