import { HeldMessage, HeldMessageParams } from '@foyer/protocol/automod'
import { Message } from '@foyer/protocol/messages'
import { SpaceParams } from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import type { App } from '#src/kernel/http/types.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { accessSpace } from '#src/spaces/access.ts'
import { accessHeld, approveHeld, listHeld, rejectHeld } from './actions/held.ts'

const tags = ['Automod']
const base = '/api/spaces/:spaceId/automod/held'

export function heldMessageRoutes(app: App, deps: SendDeps): void {
  listRoute(app, deps)
  approveRoute(app, deps)
  rejectRoute(app, deps)
}

function listRoute(app: App, deps: SendDeps): void {
  const response = { 200: Type.Array(HeldMessage) }
  const schema = { tags, summary: 'List Held Messages', params: SpaceParams, response }
  app.get(base, { schema }, async ({ caller, params }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    return listHeld(deps, access)
  })
}

function approveRoute(app: App, deps: SendDeps): void {
  const schema = {
    tags,
    summary: 'Approve Held Message',
    params: HeldMessageParams,
    response: { 200: Message },
  }
  app.post(`${base}/:heldId/approve`, { schema }, async ({ caller, params }) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    return approveHeld(deps, access, await accessHeld(deps, access, params.heldId))
  })
}

function rejectRoute(app: App, deps: SendDeps): void {
  const response = { 204: Type.Null() }
  const schema = { tags, summary: 'Reject Held Message', params: HeldMessageParams, response }
  app.delete(`${base}/:heldId`, { schema }, async ({ caller, params }, reply) => {
    const access = await accessSpace(deps.snapshots, caller, params.spaceId, 'ManageAutomod')
    await rejectHeld(deps, access, await accessHeld(deps, access, params.heldId))
    return reply.code(204).send(null)
  })
}
