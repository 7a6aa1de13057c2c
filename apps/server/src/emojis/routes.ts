import { EmojiParams, SpaceEmoji, UpdateEmojiBody } from '@foyer/protocol/emojis'
import { SpaceParams } from '@foyer/protocol/spaces'
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

const { emoji } = kinds
const tags = ['Emojis']

type Deps = FileDeps & { snapshots: Snapshots }

export function emojiRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  createRoute(app, deps)
  updateRoute(app, deps)
  deleteRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'List Emojis',
    params: SpaceParams,
    response: { 200: Type.Array(SpaceEmoji) },
  }
  app.get('/api/spaces/:spaceId/emojis', { schema }, async (request) => {
    const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return listImages(deps.database, { spaceId, kind: emoji.name })
  })
}

function createRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Create Emoji', params: SpaceParams, response: { 200: SpaceEmoji } }
  app.post('/api/spaces/:spaceId/emojis', { config: { form: imageForm }, schema }, async (request) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, emoji.permission)
    await enter()
    await using form = await readImageForm(request)
    // A form may take minutes to arrive: who may no more by then has nothing stored.
    return await createImage(deps, emoji, await enter(), newImageIn(form))
  })
}

function updateRoute(app: App, deps: Deps): void {
  const schema = {
    tags,
    summary: 'Update Emoji',
    params: EmojiParams,
    body: UpdateEmojiBody,
    response: { 200: SpaceEmoji },
  }
  app.route({
    method: updateMethods,
    url: '/api/spaces/:spaceId/emojis/:emojiId',
    schema,
    handler: async (request) => {
      const { spaceId, emojiId } = request.params
      const access = await accessSpace(deps.snapshots, request.caller, spaceId, emoji.permission)
      const { id } = await accessImage(deps.database, emoji, access, emojiId)
      const { name } = await readBody(request)
      return renameImage(deps, emoji, access, { id, name })
    },
  })
}

function deleteRoute(app: App, deps: Deps): void {
  const schema = { tags, summary: 'Delete Emoji', params: EmojiParams, response: { 204: Type.Null() } }
  app.delete('/api/spaces/:spaceId/emojis/:emojiId', { schema }, async (request, reply) => {
    const { spaceId, emojiId } = request.params
    const access = await accessSpace(deps.snapshots, request.caller, spaceId, emoji.permission)
    await deleteImage(deps, emoji, access, emojiId)
    return reply.code(204).send(null)
  })
}
