import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { User, Username } from './users.ts'

/** An application, which a user creates to get a bot. Its id is also the id of the bot's user. */
export const Application = Type.Object(
  {
    id: Uuid("also the id of the bot's user"),
    owner_id: Uuid(),
    name: Type.String(),
    description: Nullable(Type.String()),
    icon: Nullable(Uuid('icon attachment')),
    bot: User,
    bot_public: Type.Boolean({ description: 'whether users other than the owner may add the bot to spaces' }),
    created_at: Timestamp(),
  },
  { title: 'Application' },
)
export type Application = Static<typeof Application>

export const CreateApplicationBody = Type.Object({
  name: Text(1, limits.nameMax),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  bot_public: Type.Optional(Type.Boolean({ description: 'true when omitted' })),
  username: Type.Optional(Username()),
})
export type CreateApplicationBody = Static<typeof CreateApplicationBody>

export const UpdateApplicationBody = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  description: Type.Optional(Nullable(Text(0, limits.descriptionMax))),
  bot_public: Type.Optional(Type.Boolean()),
})
export type UpdateApplicationBody = Static<typeof UpdateApplicationBody>

/** The token is shown only once, in this response. */
export const BotToken = Type.Object({ token: Type.String() }, { title: 'BotToken' })
export type BotToken = Static<typeof BotToken>

export const CreateApplicationResult = Type.Object(
  { application: Application, ...BotToken.properties },
  { title: 'CreateApplicationResult' },
)
export type CreateApplicationResult = Static<typeof CreateApplicationResult>

export const ApplicationParams = Type.Object({ appId: Uuid() })
