import {
  CreateSpaceBody,
  CreateSpaceResult,
  Space,
  SpaceParams,
  TransferSpaceBody,
  UpdateSpaceBody,
  UpdateSpaceForm,
} from '@foyer/protocol/spaces'
import { Type } from 'typebox'
import { withStoredImages } from '#src/files/images/actions.ts'
import { imagesIn, textsIn } from '#src/files/images/forms.ts'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type Form, isForm, readForm } from '#src/kernel/http/bodies/multipart.ts'
import { type App, human, updateMethods } from '#src/kernel/http/types.ts'
import type { SecondFactorDeps } from '#src/people/auth/second-factors/proof.ts'
import { accessSpace, type SpaceAccess } from './access.ts'
import { deleteSpace, transferSpace, updateSpace } from './actions/management.ts'
import { createSpace } from './actions/spaces.ts'
import { accessManagedSpace, accessOwnedSpace } from './management-access.ts'
import { listSpacesOf } from './queries.ts'
import type { Snapshots } from './snapshots.ts'

const tags = ['Spaces']

export type SpaceDeps = FileDeps & SecondFactorDeps & { snapshots: Snapshots }

export function spaceRoutes(app: App, deps: SpaceDeps): void {
  createRoute(app, deps)
  getRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
  transferRoute(app, deps)
  listMineRoute(app, deps)
}

function createRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Create Space',
    body: CreateSpaceBody,
    response: { 200: CreateSpaceResult },
  }
  app.post('/api/spaces', { config: human, schema }, async (request) =>
    createSpace(deps, request.caller, await readBody(request)),
  )
}

function getRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'Get Space', params: SpaceParams, response: { 200: Space } }
  app.get('/api/spaces/:spaceId', { schema }, async (request) => {
    const { snapshot } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return snapshot.space
  })
}

function updateRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Update Space',
    params: SpaceParams,
    body: UpdateSpaceBody,
    response: { 200: Space },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId',
    config: { form: { texts: UpdateSpaceForm, files: ['icon', 'banner'] } },
    schema,
    handler: async (request) => {
      const enter = () => accessManagedSpace(deps.snapshots, request.caller, request.params.spaceId)
      const access = await enter()
      if (!isForm(request)) return updateSpace(deps, access, await readBody(request))
      await using form = await readForm(request, { maxFiles: 2, tooMany: 'invalid_multipart' })
      // A form may take minutes to arrive: check access again before storing anything.
      return await updateByForm(deps, await enter(), form)
    },
  })
}

function updateByForm(deps: SpaceDeps, access: SpaceAccess, form: Form): Promise<Space> {
  const { remove_icon, remove_banner, audit_log_days, retention_days, ...texts } = textsIn(
    form,
    UpdateSpaceForm,
  )
  const body = {
    ...texts,
    ...(audit_log_days !== undefined && { audit_log_days: daysIn(audit_log_days) }),
    ...(retention_days !== undefined && { retention_days: daysIn(retention_days) }),
    ...(remove_icon === 'true' && { icon: null }),
    ...(remove_banner === 'true' && { banner: null }),
  }
  const home = { tenantId: access.spaceId, ownerId: access.caller.user.id, where: 'bucket' } as const
  const files = imagesIn(form, ['icon', 'banner'])
  return withStoredImages(deps, home, files, (images) => updateSpace(deps, access, body, images))
}

function daysIn(text: string): number | null {
  return text === '' ? null : Number(text)
}

function deleteRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'Delete Space', params: SpaceParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId', { schema }, async (request, reply) => {
    await deleteSpace(deps, await accessOwnedSpace(deps.snapshots, request.caller, request.params.spaceId))
    return reply.code(204).send(null)
  })
}

function transferRoute(app: App, deps: SpaceDeps): void {
  const schema = {
    tags,
    summary: 'Transfer Space',
    params: SpaceParams,
    body: TransferSpaceBody,
    response: { 200: Space },
  }
  app.post('/api/spaces/:spaceId/transfer', { schema }, async (request) => {
    const access = await accessOwnedSpace(deps.snapshots, request.caller, request.params.spaceId)
    return transferSpace(deps, access, await readBody(request))
  })
}

function listMineRoute(app: App, deps: SpaceDeps): void {
  const schema = { tags, summary: 'List My Spaces', response: { 200: Type.Array(Space) } }
  app.get('/api/users/@me/spaces', { schema }, async (request) =>
    listSpacesOf(deps.database, request.caller.user.id),
  )
}
