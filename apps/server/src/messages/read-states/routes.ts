import { ReadState } from '@foyer/protocol/messages'
import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { App } from '#src/kernel/http/types.ts'
import { ackMessage, findReadState } from './actions.ts'

type Deps = ChannelDeps & { database: Database }

const tags = ['Messages']

export function readStateRoutes(app: App, deps: Deps): void {
  forEachChannel((kind) => {
    ackRoute(app, deps, kind)
    readStateRoute(app, deps, kind)
  })
}

function ackRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Mark Read Up To Message',
    params: params({ messageId: Uuid() }),
    response: { 204: Type.Null() },
  }
  app.post(`${base}/messages/:messageId/ack`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params)
    await ackMessage(deps, access, request.params.messageId)
    return reply.code(204).send(null)
  })
}

function readStateRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = { tags, summary: 'Get Read State', params: params({}), response: { 200: ReadState } }
  app.get(`${base}/read-state`, { schema }, async (request) => {
    const access = await accessChannel(deps, request.caller, request.params)
    return findReadState(deps.database, access)
  })
}
