import type { ChannelParams } from '@foyer/protocol/channels'
import { Permission } from '@foyer/protocol/permissions'
import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { checkNotForum } from '#src/channels/message-rooms.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { App } from '#src/kernel/http/types.ts'
import { EncodedMessages, encodeMessages, JSON_TYPE } from '#src/messages/encoding.ts'
import { listPins, type PinDeps, pinMessage, unpinMessage } from './actions.ts'

type Deps = PinDeps & ChannelDeps

const tags = ['Pins']
const nothing = { 204: Type.Null() }

export function pinRoutes(app: App, deps: Deps): void {
  forEachChannel((kind) => {
    listRoute(app, deps, kind)
    pinRoute(app, deps, kind)
    unpinRoute(app, deps, kind)
  })
}

function listRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = { tags, summary: 'List Pins', params: params({}), response: { 200: EncodedMessages } }
  app.get(
    `${base}/pins`,
    { config: { limits: ['messageKibibytes'], turns: 'pages' }, schema },
    async (request, reply) => {
      const access = await accessChannel(deps, request.caller, request.params)
      const pins = await listPins(deps, access)
      reply.type(JSON_TYPE)
      return encodeMessages(pins)
    },
  )
}

function pinRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = { tags, summary: 'Pin Message', params: params({ messageId: Uuid() }), response: nothing }
  app.put(`${base}/pins/:messageId`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params, permissionToPin(request.params))
    checkNotForum(access)
    await pinMessage(deps, access, request.params.messageId)
    return reply.code(204).send(null)
  })
}

/**
 * Returns the permission to pin. In a conversation it includes sending, because a block must also stop the system
 * message.
 */
function permissionToPin({ conversationId }: ChannelParams): number {
  const { PinMessages, SendMessages } = Permission
  return conversationId === undefined ? PinMessages : PinMessages | SendMessages
}

function unpinRoute(app: App, deps: Deps, { base, params }: ChannelKind): void {
  const schema = { tags, summary: 'Unpin Message', params: params({ messageId: Uuid() }), response: nothing }
  app.delete(`${base}/pins/:messageId`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params, Permission.PinMessages)
    await unpinMessage(deps, access, request.params.messageId)
    return reply.code(204).send(null)
  })
}
