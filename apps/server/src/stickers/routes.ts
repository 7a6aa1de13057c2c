import { SpaceParams } from '@foyer/protocol/spaces'
import { SpaceSticker, StickerParams, UpdateStickerBody } from '@foyer/protocol/stickers'
import { Type } from 'typebox'
import type { FileDeps } from '#src/files/actions.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import { accessImage, createImage, deleteImage, renameImage } from '#src/space-images/actions.ts'
import { imageForm, newImageIn, readImageForm } from '#src/space-images/forms.ts'
import { kinds } from '#src/space-images/kinds.ts'
import { listImages } from '#src/space-images/queries.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'

const { sticker } = kinds
const tags = ['Stickers']

type Deps = FileDeps & { snapshots: Snapshots }

export function stickerRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Stickers',
    params: SpaceParams,
    response: { 200: Type.Array(SpaceSticker) },
  }
  app.get('/api/spaces/:spaceId/stickers', { schema }, async (request) => {
    const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return listImages(deps.database, { spaceId, kind: sticker.name })
  })
}

function createRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Create Sticker', params: SpaceParams, response: { 200: SpaceSticker } }
  app.post('/api/spaces/:spaceId/stickers', { config: { form: imageForm }, schema }, async (request) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, sticker.permission)
    await enter()
    await using form = await readImageForm(request)
    // A form may take minutes to arrive: who may no more by then has nothing stored.
    return await createImage(deps, sticker, await enter(), newImageIn(form))
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Sticker',
    params: StickerParams,
    body: UpdateStickerBody,
    response: { 200: SpaceSticker },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/stickers/:stickerId',
    schema,
    handler: async (request) => {
      const { spaceId, stickerId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId, sticker.permission)
      const { id } = await accessImage(deps.database, sticker, access, stickerId)
      const { name } = await readBody(request)
      return renameImage(deps, sticker, access, { id, name })
    },
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Delete Sticker', params: StickerParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId/stickers/:stickerId', { schema }, async (request, reply) => {
    const { spaceId, stickerId } = request.params
    const access = await accessSpace(deps.snapshots, request.caller, spaceId, sticker.permission)
    await deleteImage(deps, sticker, access, stickerId)
    return reply.code(204).send(null)
  })
}
