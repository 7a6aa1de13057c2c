import {
  CreatePushSubscriptionBody,
  DeletePushSubscriptionBody,
  PushKey,
} from '@foyer/protocol/notifications'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { type SubscribeDeps, subscribe, unsubscribe } from './actions.ts'
import type { Vapid } from './vapid.ts'

type Deps = SubscribeDeps & { vapid: Vapid }

const tags = ['Notifications']
const url = '/api/users/@me/push-subscriptions'

export function pushRoutes(app: App, deps: Deps): void {
  keyRoute(app, deps)
  subscribeRoute(app, deps)
  unsubscribeRoute(app, deps)
}

function keyRoute(app: App, { vapid }: Deps): void {
  const schema = { tags, summary: 'Get Push Key', response: { 200: PushKey } }
  app.get('/api/push/key', { config: human, schema }, async () => ({ public_key: vapid.publicKey }))
}

function subscribeRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Create Push Subscription',
    body: CreatePushSubscriptionBody,
    response: { 204: Type.Null() },
  }
  app.post(url, { config: human, schema }, async (request, reply) => {
    await subscribe(deps, request.caller, await readBody(request))
    return reply.code(204).send(null)
  })
}

function unsubscribeRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Delete Push Subscription',
    body: DeletePushSubscriptionBody,
    response: { 204: Type.Null() },
  }
  app.delete(url, { config: human, schema }, async (request, reply) => {
    const { endpoint } = await readBody(request)
    await unsubscribe(deps, request.caller, endpoint)
    return reply.code(204).send(null)
  })
}
