import { type Static, Type } from 'typebox'
import { ChannelPlace } from './channels.ts'
import { CommandChoice } from './commands.ts'
import { ComponentRow } from './components.ts'
import { CreateEmbed } from './embeds.ts'
import { limits, MAX_CHOICES, MAX_COMMAND_OPTIONS, MAX_COMPONENT_ROWS, MAX_EMBEDS } from './limits.ts'
import { Member } from './members.ts'
import { AllowedMentions, Message } from './messages.ts'
import { Int32, Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

const interactionTypes = ['command', 'autocomplete', 'component', 'modal'] as const

const OptionValue = () =>
  Type.Unsafe<string | number | boolean>({
    type: ['string', 'number', 'boolean'],
    maxLength: limits.messageMax,
  })

/** An option's value. Users, rooms and roles are ids. */
export const InteractionOption = Type.Object({
  name: Type.String({ maxLength: 32 }),
  value: OptionValue(),
  focused: Type.Optional(
    Type.Boolean({ description: 'for autocomplete: the option that the user is typing' }),
  ),
})
export type InteractionOption = Static<typeof InteractionOption>

export const InteractionField = Type.Object({
  custom_id: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ maxLength: limits.messageMax }),
})

/** A use of a bot: running a command, typing one of its options, using a component, or submitting a modal. */
export const CreateInteractionBody = Type.Object({
  application_id: Uuid(),
  type: Type.String({ enum: [...interactionTypes] }),
  room_id: Type.Optional(Nullable(Uuid())),
  conversation_id: Type.Optional(Nullable(Uuid())),
  command: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'id or name of a command, for the types command and autocomplete',
      }),
    ),
  ),
  command_id: Type.Optional(Nullable(Uuid('id of the command; takes precedence over `command`'))),
  options: Type.Optional(Nullable(Type.Array(InteractionOption, { maxItems: MAX_COMMAND_OPTIONS }))),
  component: Type.Optional(
    Nullable(
      Type.Object({
        message_id: Uuid(),
        custom_id: Type.String({ minLength: 1, maxLength: 100 }),
        values: Type.Optional(Nullable(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 25 }))),
      }),
    ),
  ),
  modal: Type.Optional(
    Nullable(
      Type.Object({
        interaction_id: Uuid('the interaction that the modal answered'),
        fields: Type.Array(InteractionField, { maxItems: 5 }),
      }),
    ),
  ),
  nonce: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: limits.nonceMax }))),
})
export type CreateInteractionBody = Static<typeof CreateInteractionBody>

export const CreatedInteraction = Type.Object({ id: Uuid() }, { title: 'CreatedInteraction' })
export type CreatedInteraction = Static<typeof CreatedInteraction>

/** The interaction as the bot receives it. The bot answers with the token, and can send follow-ups for 15 minutes. */
export const Interaction = Type.Object(
  {
    id: Uuid(),
    token: Type.String(),
    application_id: Uuid(),
    type: Type.String({ description: 'command, autocomplete, component or modal' }),
    ...ChannelPlace,
    user: User,
    member: Nullable(Member),
    permissions: Type.Integer({ description: 'permissions of the user there' }),
    command: Nullable(
      Type.Object({ id: Uuid(), name: Type.String(), options: Type.Array(InteractionOption) }),
    ),
    component: Nullable(
      Type.Object({ custom_id: Type.String(), values: Type.Array(Type.String()), message: Message }),
    ),
    modal: Nullable(Type.Object({ custom_id: Type.String(), fields: Type.Array(InteractionField) })),
    created_at: Timestamp(),
  },
  { title: 'Interaction' },
)
export type Interaction = Static<typeof Interaction>

/** A window with up to five text inputs. */
export const Modal = Type.Object(
  {
    custom_id: Type.String({ minLength: 1, maxLength: 100 }),
    title: Text(1, 45),
    components: Type.Array(ComponentRow, { minItems: 1, maxItems: MAX_COMPONENT_ROWS }),
  },
  { title: 'Modal' },
)
export type Modal = Static<typeof Modal>

/** A message with which a bot answers an interaction. */
export const AnswerMessage = Type.Object({
  content: Type.Optional(Nullable(Text(0, limits.messageMax))),
  embeds: Type.Optional(Nullable(Type.Array(CreateEmbed, { maxItems: MAX_EMBEDS }))),
  components: Type.Optional(Nullable(Type.Array(ComponentRow, { maxItems: MAX_COMPONENT_ROWS }))),
  allowed_mentions: Type.Optional(Nullable(AllowedMentions)),
  flags: Type.Optional(Nullable(Int32('bits: 1 no previews, 2 silent, 4 ephemeral'))),
})
export type AnswerMessage = Static<typeof AnswerMessage>

export const CallbackType = ['message', 'deferred', 'update', 'autocomplete', 'modal'] as const

/**
 * The answer: a message, the promise of a later message (`deferred`), an edit of the component's message (`update`),
 * suggestions (`autocomplete`) or a modal.
 */
export const InteractionCallbackBody = Type.Object({
  type: Type.String({ enum: [...CallbackType] }),
  data: Type.Optional(
    Nullable(
      Type.Object({
        ...AnswerMessage.properties,
        choices: Type.Optional(Nullable(Type.Array(CommandChoice, { maxItems: MAX_CHOICES }))),
        modal: Type.Optional(Nullable(Modal)),
      }),
    ),
  ),
})
export type InteractionCallbackBody = Static<typeof InteractionCallbackBody>

/** The state of an interaction, for the user who began it. Only this event contains an ephemeral message. */
export const InteractionUpdate = Type.Object(
  {
    id: Uuid(),
    nonce: Nullable(Type.String()),
    application_id: Uuid(),
    state: Type.String({
      enum: ['answered', 'deferred', 'failed', 'deleted'],
      description: 'failed: not answered in time; deleted: its ephemeral message was deleted',
    }),
    message: Nullable(Message),
    choices: Nullable(Type.Array(CommandChoice)),
    modal: Nullable(Modal),
  },
  { title: 'InteractionUpdate' },
)
export type InteractionUpdate = Static<typeof InteractionUpdate>

export const NextInteractionQuery = Type.Object({
  timeout: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, default: 25, description: 'seconds' })),
})
export const InteractionTokenParams = Type.Object({
  interactionId: Uuid(),
  token: Type.String({ maxLength: 128 }),
})

/** Path parameters of an answer to an interaction. `@original` stands for the first answer. */
export const InteractionMessageParams = Type.Object({
  ...InteractionTokenParams.properties,
  messageId: Type.String({
    lowercase: true,
    pattern: '^(?:@original|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
    description: '@original or the id of a message',
  }),
})
