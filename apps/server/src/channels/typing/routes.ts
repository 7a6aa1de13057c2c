import { Permission } from '@foyer/protocol/permissions'
import { Type } from 'typebox'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { checkNotForum } from '#src/channels/message-rooms.ts'
import { type ChannelKind, forEachChannel } from '#src/channels/routes.ts'
import type { App } from '#src/kernel/http/types.ts'
import { type IndicatorDeps, sendIndicator } from './actions.ts'
import type { IndicatorKind } from './throttle.ts'

const KINDS: readonly IndicatorKind[] = ['typing', 'recording']
const SUMMARIES = { typing: 'Send Typing Notice', recording: 'Send Recording Notice' }

type Deps = IndicatorDeps & ChannelDeps

export function typingRoutes(app: App, deps: Deps): void {
  forEachChannel((channel) => {
    for (const kind of KINDS) typingRoute(app, deps, channel, kind)
  })
}

function typingRoute(app: App, deps: Deps, { base, params }: ChannelKind, kind: IndicatorKind): void {
  const schema = {
    tags: ['Messages'],
    summary: SUMMARIES[kind],
    params: params({}),
    response: { 204: Type.Null() },
  }
  app.post(`${base}/${kind}`, { schema }, async (request, reply) => {
    const access = await accessChannel(deps, request.caller, request.params, Permission.SendMessages)
    checkNotForum(access)
    await sendIndicator(deps, access, kind)
    return reply.code(204).send(null)
  })
}
