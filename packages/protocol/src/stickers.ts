import { type Static, Type } from 'typebox'
import { Uuid } from './schema.ts'
import { SpaceImage, SpaceImageName } from './space-images.ts'

export const SpaceSticker = Type.Object(SpaceImage.properties, { title: 'SpaceSticker' })
export type SpaceSticker = Static<typeof SpaceSticker>

export const UpdateStickerBody = Type.Object({ name: SpaceImageName() })
export type UpdateStickerBody = Static<typeof UpdateStickerBody>

export const StickerParams = Type.Object({ spaceId: Uuid(), stickerId: Uuid() })
