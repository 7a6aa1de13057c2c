import { EmojiParams, SpaceEmoji, UpdateEmojiBody } from '@foyer/protocol/emojis'
import { SpaceParams } from '@foyer/protocol/spaces'
import { SpaceSticker, StickerParams, UpdateStickerBody } from '@foyer/protocol/stickers'
import { type Static, Type } from 'typebox'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, updateMethods } from '#src/kernel/http/types.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessImage, createImage, deleteImage, renameImage } from './actions.ts'
import { imageForm, newImageIn, readImageForm } from './forms.ts'
import { type Kind, kinds } from './kinds.ts'
import { listImages } from './queries.ts'

type Deps = FileDeps & { snapshots: Snapshots }
type ImageParams = Static<typeof EmojiParams> | Static<typeof StickerParams>

/** Paths, shapes and texts of the routes of one kind. */
interface ImageRoutes {
  kind: Kind
  base: string
  path: string
  one: string
  many: string
  image: typeof SpaceEmoji | typeof SpaceSticker
  params: typeof EmojiParams | typeof StickerParams
  update: typeof UpdateEmojiBody | typeof UpdateStickerBody
}

const emojis: ImageRoutes = {
  kind: kinds.emoji,
  base: '/api/spaces/:spaceId/emojis',
  path: '/api/spaces/:spaceId/emojis/:emojiId',
  one: 'Emoji',
  many: 'Emojis',
  image: SpaceEmoji,
  params: EmojiParams,
  update: UpdateEmojiBody,
}

const stickers: ImageRoutes = {
  kind: kinds.sticker,
  base: '/api/spaces/:spaceId/stickers',
  path: '/api/spaces/:spaceId/stickers/:stickerId',
  one: 'Sticker',
  many: 'Stickers',
  image: SpaceSticker,
  params: StickerParams,
  update: UpdateStickerBody,
}

export function spaceImageRoutes(app: App, deps: Deps): void {
  for (const routes of [emojis, stickers]) {
    listRoute(app, deps, routes)
    createRoute(app, deps, routes)
    updateRoute(app, deps, routes)
    deleteRoute(app, deps, routes)
  }
}

function listRoute(app: App, deps: Deps, { kind, base, many, image }: ImageRoutes): void {
  const response = { 200: Type.Array(image) }
  const schema = { tags: [many], summary: `List ${many}`, params: SpaceParams, response }
  app.get(base, { schema }, async (request) => {
    const { spaceId } = await accessSpace(deps.snapshots, request.caller, request.params.spaceId)
    return listImages(deps.database, { spaceId, kind: kind.name })
  })
}

function createRoute(app: App, deps: Deps, { kind, base, one, many, image }: ImageRoutes): void {
  const schema = { tags: [many], summary: `Create ${one}`, params: SpaceParams, response: { 200: image } }
  app.post(base, { config: { form: imageForm }, schema }, async (request) => {
    const { caller, params } = request
    const enter = () => accessSpace(deps.snapshots, caller, params.spaceId, kind.permission)
    await enter()
    await using form = await readImageForm(request)
    // A form may take minutes to arrive. Nothing is stored for a caller who has lost the permission by then.
    return await createImage(deps, kind, await enter(), newImageIn(form))
  })
}

function updateRoute(app: App, deps: Deps, { kind, path, one, many, ...shapes }: ImageRoutes): void {
  const { params, update: body, image } = shapes
  const schema = { tags: [many], summary: `Update ${one}`, params, body, response: { 200: image } }
  app.route({
    method: updateMethods,
    url: path,
    schema,
    handler: async (request) => {
      const access = await accessSpace(
        deps.snapshots,
        request.caller,
        request.params.spaceId,
        kind.permission,
      )
      const { id } = await accessImage(deps.database, kind, access, idOf(request.params))
      const { name } = await readBody(request)
      return renameImage(deps, kind, access, { id, name })
    },
  })
}

function deleteRoute(app: App, deps: Deps, { kind, path, one, many, params }: ImageRoutes): void {
  const schema = { tags: [many], summary: `Delete ${one}`, params, response: { 204: Type.Null() } }
  app.delete(path, { schema }, async (request, reply) => {
    const access = await accessSpace(deps.snapshots, request.caller, request.params.spaceId, kind.permission)
    await deleteImage(deps, kind, access, idOf(request.params))
    return reply.code(204).send(null)
  })
}

function idOf(params: ImageParams): string {
  return 'emojiId' in params ? params.emojiId : params.stickerId
}
