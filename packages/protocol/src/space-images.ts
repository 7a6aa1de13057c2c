import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from './schema.ts'

/** The common part of emojis and stickers: a picture of the space with a name. */
export const SpaceImage = Type.Object({
  id: Uuid(),
  space_id: Uuid(),
  name: Type.String(),
  attachment_id: Uuid(),
  creator_id: Uuid(),
  animated: Type.Boolean(),
  created_at: Timestamp(),
})
export type SpaceImage = Static<typeof SpaceImage>

export const SpaceImageName = () =>
  Type.String({ pattern: '^[A-Za-z0-9_]{2,32}$', description: '2 to 32 characters of A-Z, a-z, 0-9 and _' })
