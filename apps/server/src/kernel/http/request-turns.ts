import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Turns } from '../database/turns.ts'
import { budgetOf } from '../secrets/credentials.ts'

/** Time between the beginnings of two requests: 250 a second, as many as five accounts may make. */
const BOT_GAP_MS = 4
const MAX_WAIT_MS = 5000
const BOT_TURNS = {
  atOnce: Number.POSITIVE_INFINITY,
  maxWaiting: MAX_WAIT_MS / BOT_GAP_MS,
  maxWaitMs: MAX_WAIT_MS,
}
const PAGE_TURNS = { atOnce: Number.POSITIVE_INFINITY, maxWaiting: 250, maxWaitMs: MAX_WAIT_MS }

/**
 * Starts the requests of one owner's bots one after another. Each of 50 bots has the limits of an account, so 2,500
 * could start in a second and delay everyone else's. A long request, such as a poll or an upload, does not delay
 * others.
 */
export function takingBotTurns() {
  const turns = new Turns(BOT_TURNS)
  return async ({ authenticated }: FastifyRequest): Promise<void> => {
    if (authenticated?.kind === 'bot') setTimeout(await turns.enter(budgetOf(authenticated)), BOT_GAP_MS)
  }
}

/**
 * Runs requests of one user, or of one owner's bots, one at a time on routes that ask for it. `enter` must run before
 * the rate limits: otherwise everything that arrives together would pass a limit that is charged afterwards.
 */
export function takingPageTurns() {
  const turns = new Turns(PAGE_TURNS)
  const leaving = new WeakMap<FastifyRequest, () => void>()
  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { authenticated, routeOptions } = request
    if (routeOptions.config.turns !== 'pages' || authenticated === undefined) return
    const leave = await turns.enter(budgetOf(authenticated))
    leaving.set(request, leave)
    reply.raw.once('close', leave)
    if (reply.raw.destroyed) leave()
  }
  // Ends once the answer is encoded, however slowly the client reads it.
  const leave = async (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => {
    leaving.get(request)?.()
    return payload
  }
  const onRoute = (route: RouteOptions): void => {
    if (route.config?.turns === 'pages') route.onSend = [route.onSend ?? [], leave].flat()
  }
  return { enter, onRoute }
}
