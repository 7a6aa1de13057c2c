import { Permission } from '@foyer/protocol/permissions'
import { EmojiParam, ListReactionsQuery } from '@foyer/protocol/reactions'
import { Uuid } from '@foyer/protocol/schema'
import { User } from '@foyer/protocol/users'
import { Type } from 'typebox'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { App } from '#src/kernel/http/types.ts'
import { addReaction, clearReactions, listReactors, type ReactionDeps, removeReaction } from './actions.ts'

type Deps = ReactionDeps & ChannelDeps

const tags = ['Reactions']
const nothing = { 204: Type.Null() }

export function reactionRoutes(app: App, deps: Deps): void {
  forEachChannel((kind) => {
    listRoute(app, deps, kind)
    addRoute(app, deps, kind)
    removeOwnRoute(app, deps, kind)
    removeRoute(app, deps, kind)
    clearRoute(app, deps, kind)
  })
}

function listRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'List Reactions',
    params: params({ messageId: Uuid(), emoji: EmojiParam() }),
    querystring: ListReactionsQuery,
    response: { 200: Type.Array(User) },
  }
  app.get(`${base}/messages/:messageId/reactions/:emoji`, { schema }, async (request) => {
    const access = await accessChannel(deps, request.caller, request.params)
    return listReactors(deps, access, request.params, request.query)
  })
}

function addRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Add Reaction',
    params: params({ messageId: Uuid(), emoji: EmojiParam() }),
    response: nothing,
  }
  app.put(`${base}/messages/:messageId/reactions/:emoji`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params, Permission.SendMessages)
    await addReaction(deps, access, request.params)
    return reply.code(204).send(null)
  })
}

function removeOwnRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Remove Own Reaction',
    params: params({ messageId: Uuid(), emoji: EmojiParam() }),
    response: nothing,
  }
  app.delete(`${base}/messages/:messageId/reactions/:emoji`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params)
    await removeReaction(deps, access, request.params, request.caller.user.id)
    return reply.code(204).send(null)
  })
}

function removeRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Remove Reaction',
    params: params({ messageId: Uuid(), emoji: EmojiParam(), userId: Uuid() }),
    response: nothing,
  }
  app.delete(`${base}/messages/:messageId/reactions/:emoji/:userId`, { schema }, async (request, reply) => {
    const { caller, params } = request
    const isOwn = params.userId === caller.user.id
    const access = await accessChannel(deps, caller, params, isOwn ? 0 : Permission.ManageMessages)
    await removeReaction(deps, access, params, params.userId)
    return reply.code(204).send(null)
  })
}

function clearRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = {
    tags,
    summary: 'Remove All Reactions',
    params: params({ messageId: Uuid() }),
    response: nothing,
  }
  app.delete(`${base}/messages/:messageId/reactions`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params, Permission.ManageMessages)
    await clearReactions(deps, access, request.params.messageId)
    return reply.code(204).send(null)
  })
}
