import type { CreateInteractionBody, Interaction } from '@foyer/protocol/interactions'
import type { Message } from '@foyer/protocol/messages'
import type { ChannelAccess } from '#src/channels/access.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { findCommand } from '#src/integrations/commands/queries.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { findMessage } from '#src/messages/reading.ts'
import { findEphemeral } from './answer-queries.ts'
import { checkFields, checkUse } from './components.ts'
import { checkOptions, checkTyped } from './options.ts'
import { findInteraction } from './queries.ts'

export interface InvocationDeps {
  database: Database
  downloads: DownloadSigner
}

/** The fields of an interaction that depend on its type. */
export type Invoked = Pick<Interaction, 'command' | 'component' | 'modal'> & {
  /** The message that the bot may change as its answer. */
  sourceMessageId: string | null
}

const nothing: Invoked = { command: null, component: null, modal: null, sourceMessageId: null }

type Read = (deps: InvocationDeps, access: ChannelAccess, body: CreateInteractionBody) => Promise<Invoked>

/**
 * Finds the command, component or modal that the user named, and checks the user's input.
 * @throws ApiError 400 and 404 for anything that the bot does not offer there
 */
export const readInvoked: Readonly<Record<string, Read>> = {
  command: (deps, access, body) => readCommand(deps, access, body),
  autocomplete: (deps, access, body) => readCommand(deps, access, body),
  component: readComponent,
  modal: readModal,
}

async function readCommand(
  { database }: InvocationDeps,
  access: ChannelAccess,
  { application_id, command_id, command: named, options, type }: CreateInteractionBody,
): Promise<Invoked> {
  const command = await findCommand(database, application_id, demand(command_id ?? named, 'command'))
  if (command === undefined) throw new ApiError('unknown_command')
  const given = options ?? []
  const checked =
    type === 'autocomplete'
      ? checkTyped(command.options, given)
      : await checkOptions(database, access, command.options, given)
  return { ...nothing, command: { id: command.id, name: command.name, options: checked } }
}

async function readComponent(
  deps: InvocationDeps,
  access: ChannelAccess,
  body: CreateInteractionBody,
): Promise<Invoked> {
  const { message_id, custom_id, values } = demand(body.component, 'component')
  const message = await findBotMessage(deps, access, { appId: body.application_id, messageId: message_id })
  const checked = checkUse(message.components, custom_id, values ?? [])
  return { ...nothing, component: { custom_id, values: checked, message }, sourceMessageId: message.id }
}

/** Finds a message of the bot that everyone sees, or the user's ephemeral one. */
async function findBotMessage(
  deps: InvocationDeps,
  { place, caller }: ChannelAccess,
  { appId, messageId }: { appId: string; messageId: string },
): Promise<Message> {
  const ephemeral = await findEphemeral(deps.database, appId, messageId)
  const isTheirs = ephemeral?.user_id === caller.user.id
  const message = isTheirs ? ephemeral.message : await findMessage(deps, place, messageId)
  const channelId = message?.room_id ?? message?.conversation_id
  if (message?.author.id !== appId || channelId !== place.channelId) throw new ApiError('unknown_message')
  return message
}

async function readModal(
  { database }: InvocationDeps,
  { place, caller }: ChannelAccess,
  body: CreateInteractionBody,
): Promise<Invoked> {
  const { interaction_id, fields } = demand(body.modal, 'modal')
  const shown = await findInteraction(database, interaction_id)
  const channelId = shown?.interaction.room_id ?? shown?.interaction.conversation_id
  const isTheirs = shown?.user_id === caller.user.id && shown.application_id === body.application_id
  if (!isTheirs || channelId !== place.channelId || shown.modal === null)
    throw new ApiError('unknown_interaction')
  const { custom_id } = shown.modal
  const modal = { custom_id, fields: checkFields(shown.modal, fields) }
  return { ...nothing, modal, sourceMessageId: shown.source_message_id }
}

function demand<T>(value: T | null | undefined, field: string): T {
  if (value === null || value === undefined) throw new ApiError('invalid_request', `${field} is required`)
  return value
}
