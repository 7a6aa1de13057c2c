import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connectionOptions } from '../http/connection-options.ts'
import type { Challenges } from './challenges.ts'

/** The answer of HTTP_PORT: a redirect, or without a certificate the app itself, or a refusal. */
export type PlainAnswer = 'redirect' | 'app' | 'refusal'

interface RedirectDeps {
  /** The https origin. */
  origin: string
  answerNow: () => PlainAnswer
  /** Undefined without ACME. */
  challenges: Challenges | undefined
  app: Pick<Server, 'emit'>
}

const CHALLENGE_PATH = /^\/\.well-known\/acme-challenge\/([\w-]{1,128})$/

/** Creates the server of HTTP_PORT. It answers ACME servers, and redirects everyone else to HTTPS. */
export function createRedirectServer(deps: RedirectDeps): Server {
  const { answerNow, app } = deps
  const server = createServer({
    ...connectionOptions,
    // Upgrades are only accepted for the app, so that a WebSocket request is redirected.
    shouldUpgradeCallback: (request) =>
      answerNow() === 'app' && connectionOptions.shouldUpgradeCallback(request),
  })
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.on(event, (request, response) => take(deps, event, [request, response]))
  for (const event of ['upgrade', 'clientError'])
    server.on(event, (...given) => void app.emit(event, ...given))
  return server
}

function take(
  deps: RedirectDeps,
  event: 'request' | 'checkContinue' | 'checkExpectation',
  [request, response]: [IncomingMessage, ServerResponse],
): void {
  const { challenges, answerNow, app } = deps
  const token = CHALLENGE_PATH.exec(request.url ?? '')?.[1]
  const answer = answerNow()
  if (token !== undefined && challenges !== undefined) void answerChallenge(challenges, token, response)
  else if (answer === 'redirect') redirect(deps, request, response)
  else if (answer === 'app') app.emit(event, request, response)
  else refuse(response)
}

async function answerChallenge(
  challenges: Challenges,
  token: string,
  response: ServerResponse,
): Promise<void> {
  const text = await challenges.answer(token).catch(() => undefined)
  response.setHeader('content-type', 'text/plain')
  response.statusCode = text === undefined ? 404 : 200
  response.end(text ?? 'no such challenge\n')
}

/** Redirects a request to HTTPS. For methods other than GET, the redirect keeps the method and the body. */
function redirect(
  { origin }: RedirectDeps,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): void {
  const path = url?.startsWith('/') ? url : '/'
  const isRead = method === 'GET' || method === 'HEAD'
  response.writeHead(isRead ? 301 : 308, {
    location: `${origin}${path}`,
    'content-length': 0,
    'cache-control': 'no-store',
    // The request's body is not read, so the connection cannot be reused.
    ...(isRead ? {} : { connection: 'close' }),
  })
  response.end()
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '60', connection: 'close' })
  response.end('This server has no certificate for HTTPS yet. Its log says why.\n')
}
