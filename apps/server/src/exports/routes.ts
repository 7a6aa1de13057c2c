import { Export, ExportDownload, ExportParams } from '@foyer/protocol/exports'
import { ProofBody } from '@foyer/protocol/second-factors'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { checkProof, type ProofDeps } from '#src/people/auth/owner-proofs/check.ts'
import { type OwnSession, sessionOf } from '#src/people/auth/session-of.ts'
import { addressOf, type ExportDeps, requestExport } from './actions.ts'
import { listExports } from './queries.ts'
import { exportOf, type Order, type SessionOrder } from './rows.ts'

const tags = ['Users']
const root = '/api/users/@me/exports'

/** Routes for copies of people's own data. */
export function exportRoutes(app: App, deps: ExportDeps & ProofDeps): void {
  app.post(
    root,
    {
      config: { ...human, limits: ['login'] },
      schema: {
        tags,
        summary: 'Create Own Export',
        description:
          'Requests a copy of everything you wrote and of the data about you. A mail says when it is ready.',
        body: ProofBody,
        response: { 202: Export },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request)
      await checkProof(deps, session, await readBody(request))
      return reply.code(202).send(await requestExport(deps, sessionOrder(session)))
    },
  )

  app.get(
    root,
    {
      config: human,
      schema: { tags, summary: 'List Own Exports', response: { 200: Type.Array(Export) } },
    },
    async ({ caller }) => {
      const rows = await listExports(deps.database, ownOrder(caller.user.id))
      return rows.map(exportOf)
    },
  )

  app.get(
    `${root}/:exportId/download`,
    {
      config: human,
      schema: {
        tags,
        summary: 'Download Own Export',
        description:
          'Returns an address of the ZIP, which works for five minutes. Ask again for another one.',
        params: ExportParams,
        response: { 200: ExportDownload },
      },
    },
    async (request) => addressOf(deps, sessionOrder(sessionOf(request)), request.params.exportId),
  )
}

function ownOrder(userId: string): Order {
  return { userId, kind: 'account', subjectId: userId }
}

function sessionOrder({ userId, sessionId }: OwnSession): SessionOrder {
  return { ...ownOrder(userId), sessionId }
}
