import {
  ConfirmSessionBody,
  ConfirmTotpBody,
  OwnSecondFactors,
  ProofBody,
  RecoveryCodes,
  TotpSetup,
} from '@foyer/protocol/second-factors'
import { Type } from 'typebox'
import type { Config } from '#src/config.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { lacksSecondFactor, type SecondFactorRules } from '#src/kernel/secrets/second-factor-rule.ts'
import { serverNameOf } from '#src/kernel/server-name.ts'
import { isOperator } from '#src/operating/operators/queries.ts'
import { clientOf } from '../client.ts'
import type { ProofDeps } from '../owner-proofs/check.ts'
import { sessionOf } from '../session-of.ts'
import { prepareTotp, renewRecoveryCodes, turnOffTotp, turnOnTotp } from './actions.ts'
import { confirmSession } from './confirmed-sessions.ts'
import { findSecondFactors } from './queries.ts'

const tags = ['Authentication']
const root = '/api/users/@me/second-factors'
const asksForPassword = { ...accountCare, limits: ['login'] } as const

type Deps = ProofDeps & { config: Config; secondFactorRules: SecondFactorRules }

export function secondFactorRoutes(app: App, deps: Deps): void {
  ownRoutes(app, deps)
  totpRoutes(app, deps)
  totpRemovalRoute(app, deps)
}

function ownRoutes(app: App, deps: Deps): void {
  app.get(
    root,
    {
      config: accountCare,
      schema: { tags, summary: 'Get Own Second Factors', response: { 200: OwnSecondFactors } },
    },
    async ({ caller }) => {
      const { id } = caller.user
      const found = await findSecondFactors(deps.database, id)
      const rule = await deps.secondFactorRules.current()
      const isNeeded = rule === 'everybody' || (rule === 'operators' && (await isOperator(deps.database, id)))
      return { ...found, is_needed: isNeeded, is_session_confirmed: !lacksSecondFactor(caller) }
    },
  )

  app.post(
    `${root}/confirm-session`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Confirm Session',
        description: 'Gives the session a second factor, as a login with a code does.',
        body: ConfirmSessionBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await confirmSession(deps, sessionOf(request), (await readBody(request)).code)
      return reply.code(204).send(null)
    },
  )

  app.post(
    `${root}/recovery-codes`,
    {
      config: asksForPassword,
      schema: { tags, summary: 'Renew Recovery Codes', body: ProofBody, response: { 200: RecoveryCodes } },
    },
    async (request) => {
      const given = { proof: await readBody(request), client: clientOf(request, deps.config) }
      return renewRecoveryCodes(deps, sessionOf(request), given)
    },
  )
}

function totpRoutes(app: App, deps: Deps): void {
  app.post(
    `${root}/totp`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Prepare Authenticator App',
        description: 'Creates a secret, which is used once it is confirmed.',
        body: ProofBody,
        response: { 200: TotpSetup },
      },
    },
    async (request) => {
      const { username } = request.caller.user
      const publicUrl = deps.config.publicUrl ?? app.listeningOrigin
      const label = { issuer: serverNameOf({ ...deps.config, publicUrl }), account: username }
      return prepareTotp(deps, sessionOf(request), { proof: await readBody(request), label })
    },
  )

  app.post(
    `${root}/totp/confirm`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Confirm Authenticator App',
        body: ConfirmTotpBody,
        response: { 200: RecoveryCodes },
      },
    },
    async (request) => {
      const given = { ...(await readBody(request)), client: clientOf(request, deps.config) }
      return turnOnTotp(deps, sessionOf(request), given)
    },
  )
}

function totpRemovalRoute(app: App, deps: Deps): void {
  app.delete(
    `${root}/totp`,
    {
      config: asksForPassword,
      schema: { tags, summary: 'Remove Authenticator App', body: ProofBody, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const given = { proof: await readBody(request), client: clientOf(request, deps.config) }
      await turnOffTotp(deps, sessionOf(request), given)
      return reply.code(204).send(null)
    },
  )
}
