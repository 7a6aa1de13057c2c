import { Export, ExportDownload, SpaceExportParams } from '@foyer/protocol/exports'
import { ProofBody } from '@foyer/protocol/second-factors'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { checkProof, type ProofDeps } from '#src/people/auth/owner-proofs/check.ts'
import { sessionOf } from '#src/people/auth/session-of.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { record, targetOf } from '#src/spaces/actions/audit.ts'
import { accessOwnedSpace, holdOwnedSpace } from '#src/spaces/management-access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { addressOf, type ExportDeps, requestExport } from '../actions.ts'
import { listExports } from '../queries.ts'
import { exportOf, type Order } from '../rows.ts'

export type SpaceExportDeps = ExportDeps & ProofDeps & { snapshots: Snapshots }

const tags = ['Spaces']
const root = '/api/spaces/:spaceId/exports'

/** Routes for the archive of a space, for its owner. */
export function spaceExportRoutes(app: App, deps: SpaceExportDeps): void {
  createRoute(app, deps)
  listRoute(app, deps)
  downloadRoute(app, deps)
}

function createRoute(app: App, deps: SpaceExportDeps): void {
  const schema = {
    tags,
    summary: 'Create Space Export',
    description:
      'Requests an archive of the space, which the server can import again. Only for the owner. A mail says when it is ready.',
    params: SpaceParams,
    body: ProofBody,
    response: { 202: Export },
  }
  app.post(root, { config: { ...human, limits: ['login'] }, schema }, async (request, reply) => {
    const access = await accessOwnedSpace(deps.snapshots, request.caller, request.params.spaceId)
    const session = sessionOf(request)
    await checkProof(deps, session, await readBody(request))
    const order = { ...orderOf(access), sessionId: session.sessionId }
    const requested = await requestExport(deps, order, async (transaction) => {
      const held = await holdOwnedSpace(transaction, access)
      await record(transaction, held, 'space_export', targetOf(held.snapshot.space))
    })
    return reply.code(202).send(requested)
  })
}

function listRoute(app: App, deps: SpaceExportDeps): void {
  const schema = {
    tags,
    summary: 'List Space Exports',
    description: 'The last one that the owner asked for, if it has not expired.',
    params: SpaceParams,
    response: { 200: Type.Array(Export) },
  }
  app.get(root, { config: human, schema }, async ({ caller, params }) => {
    const order = orderOf(await accessOwnedSpace(deps.snapshots, caller, params.spaceId))
    const rows = await listExports(deps.database, order)
    return rows.filter(({ subject_id }) => subject_id === order.subjectId).map(exportOf)
  })
}

function downloadRoute(app: App, deps: SpaceExportDeps): void {
  const schema = {
    tags,
    summary: 'Download Space Export',
    description: 'Returns an address of the ZIP, which works for five minutes. Ask again for another one.',
    params: SpaceExportParams,
    response: { 200: ExportDownload },
  }
  app.get(`${root}/:exportId/download`, { config: human, schema }, async (request) => {
    const { caller, params } = request
    const access = await accessOwnedSpace(deps.snapshots, caller, params.spaceId)
    const { sessionId } = sessionOf(request)
    return addressOf(deps, { ...orderOf(access), sessionId }, params.exportId)
  })
}

function orderOf({ spaceId, caller }: SpaceAccess): Order {
  return { userId: caller.user.id, kind: 'space', subjectId: spaceId }
}
