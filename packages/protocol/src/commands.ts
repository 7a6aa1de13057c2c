import { type Static, Type } from 'typebox'
import { MAX_CHOICES, MAX_COMMAND_OPTIONS, MAX_COMMANDS } from './limits.ts'
import { Nullable, Text, Uuid } from './schema.ts'
import { User } from './users.ts'

const commandOptionTypes = ['string', 'integer', 'number', 'boolean', 'user', 'room', 'role'] as const

const CommandName = () =>
  Type.String({ pattern: '^[a-z0-9_-]{1,32}$', description: '1 to 32 characters of a-z, 0-9, _ and -' })

/** A choice or autocomplete suggestion for an option. The value is a number for numeric options, otherwise a string. */
export const CommandChoice = Type.Object(
  {
    name: Text(1, 100),
    value: Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: 100 }),
  },
  { title: 'CommandChoice' },
)
export type CommandChoice = Static<typeof CommandChoice>

export const CommandOption = Type.Object(
  {
    name: CommandName(),
    description: Text(1, 100),
    type: Type.String({ enum: [...commandOptionTypes] }),
    required: Type.Boolean(),
    choices: Type.Array(CommandChoice, { description: 'the only allowed values, if there are any' }),
    autocomplete: Type.Boolean({ description: 'whether the bot suggests values while the user types' }),
    min: Nullable(Type.Number({ description: 'minimum value of a number, or minimum length of a string' })),
    max: Nullable(Type.Number({ description: 'maximum value of a number, or maximum length of a string' })),
  },
  { title: 'CommandOption' },
)
export type CommandOption = Static<typeof CommandOption>

/** A command of a bot, typed as `/name`. */
export const ApplicationCommand = Type.Object(
  {
    id: Uuid(),
    application_id: Uuid(),
    name: CommandName(),
    description: Type.String(),
    options: Type.Array(CommandOption),
  },
  { title: 'ApplicationCommand' },
)
export type ApplicationCommand = Static<typeof ApplicationCommand>

/** A command that can be used in a channel, with the bot that answers it. */
export const AvailableCommand = Type.Object(
  { ...ApplicationCommand.properties, bot: User },
  { title: 'AvailableCommand' },
)
export type AvailableCommand = Static<typeof AvailableCommand>

const CreateCommandOption = Type.Object({
  name: CommandName(),
  description: Text(1, 100),
  type: Type.String({ enum: [...commandOptionTypes] }),
  required: Type.Optional(Type.Boolean()),
  choices: Type.Optional(Nullable(Type.Array(CommandChoice, { maxItems: MAX_CHOICES }))),
  autocomplete: Type.Optional(Type.Boolean()),
  min: Type.Optional(Nullable(Type.Number())),
  max: Type.Optional(Nullable(Type.Number())),
})
export type CreateCommandOption = Static<typeof CreateCommandOption>

export const CreateCommand = Type.Object({
  name: CommandName(),
  description: Text(1, 100),
  options: Type.Optional(Nullable(Type.Array(CreateCommandOption, { maxItems: MAX_COMMAND_OPTIONS }))),
})
export type CreateCommand = Static<typeof CreateCommand>

/** All commands of the application. Commands not listed are deleted; those with the same name keep their id. */
export const SetCommandsBody = Type.Array(CreateCommand, { maxItems: MAX_COMMANDS })
export type SetCommandsBody = Static<typeof SetCommandsBody>
