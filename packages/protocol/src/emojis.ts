import { type Static, Type } from 'typebox'
import { Uuid } from './schema.ts'
import { SpaceImage, SpaceImageName } from './space-images.ts'

export const SpaceEmoji = Type.Object(SpaceImage.properties, { title: 'SpaceEmoji' })
export type SpaceEmoji = Static<typeof SpaceEmoji>

export const UpdateEmojiBody = Type.Object({ name: SpaceImageName() })
export type UpdateEmojiBody = Static<typeof UpdateEmojiBody>

export const EmojiParams = Type.Object({ spaceId: Uuid(), emojiId: Uuid() })
