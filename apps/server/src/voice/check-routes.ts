import { VoiceCheck, VoiceCheckBody, VoiceCheckResult } from '@foyer/protocol/voice-check'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import type { TokenSigner } from '#src/kernel/secrets/tokens.ts'
import { voiceCheckFor } from './check.ts'
import type { VoiceEngine } from './engine.ts'
import type { VoiceHosts } from './hosts/hosts.ts'

export interface CheckDeps {
  config: Pick<Config, 'voice'>
  database: Database
  signer: TokenSigner
  voiceHosts: VoiceHosts
  /** Undefined in a process without voice. */
  voiceEngine: VoiceEngine | undefined
}

const tags = ['Voice']

export function checkRoutes(app: App, deps: CheckDeps): void {
  getRoute(app, deps)
  beginRoute(app, deps)
  doctorRoute(app, deps)
}

function getRoute(app: App, { config, voiceEngine }: CheckDeps): void {
  app.get(
    '/api/voice/check',
    { config: human, schema: { tags, summary: 'Get Voice Check', response: { 200: VoiceCheck } } },
    async ({ caller }) => voiceCheckFor(caller.user.id, config.voice, voiceEngine),
  )
}

function beginRoute(app: App, deps: CheckDeps): void {
  const response = { 200: VoiceCheckResult }
  app.post(
    '/api/voice/check',
    { config: human, schema: { tags, summary: 'Begin Voice Check', body: VoiceCheckBody, response } },
    async (request) => {
      const { sdp } = await readBody(request)
      return { sdp: await begin(deps, request.caller.user.id, sdp) }
    },
  )
}

/** Route for `npm run doctor`, which has no account: it signs its token with the server's key. */
function doctorRoute(app: App, deps: CheckDeps): void {
  const response = { 200: VoiceCheckResult }
  app.post(
    '/api/voice/check/doctor',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Begin Voice Check of Doctor', body: VoiceCheckBody, response },
    },
    async (request) => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      const claims = deps.signer.verify(token, 'doctor', Date.now())
      if (claims === undefined) throw new ApiError('invalid_signature')
      const { sdp } = await readBody(request)
      return { sdp: await begin(deps, claims.userId, sdp) }
    },
  )
}

async function begin(
  { config, database, voiceHosts }: CheckDeps,
  userId: string,
  offer: string,
): Promise<string> {
  if (config.voice.livekit !== undefined)
    throw new ApiError(
      'invalid_request',
      'this server uses LiveKit for voice: check the connection to LiveKit instead',
    )
  const host = await voiceHosts.anyHost(database)
  return host.check(userId, offer)
}
