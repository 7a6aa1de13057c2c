import type { CommandChoice } from '@foyer/protocol/commands'
import type { InteractionCallbackBody, Modal } from '@foyer/protocol/interactions'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { checkChoiceValues } from '#src/integrations/commands/checks.ts'
import { findCommand } from '#src/integrations/commands/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { checkMayChange, checkParts } from '#src/messages/content-rights.ts'
import { type Change, editMessage } from '#src/messages/editing.ts'
import { postMessage } from '#src/messages/posting.ts'
import { editorOf } from '#src/messages/screening.ts'
import { findEphemeral } from './answer-queries.ts'
import {
  type AnswerContent,
  type AnswerDeps,
  authorOf,
  enterAsBot,
  ephemeralOf,
  isEphemeral,
  postOf,
  readContent,
  screenAnswer,
} from './answering.ts'
import { changeEphemeral, changeOf } from './changes.ts'
import { checkModal } from './components.ts'
import type { InteractionRow } from './queries.ts'

/** The result of an answer. */
export interface Settlement {
  state: 'answered' | 'deferred'
  /** The message that the answer made or changed. */
  originalId?: string
  /** The ephemeral message that the answer made or changed. */
  ephemeral?: Message
  choices?: CommandChoice[]
  modal?: Modal
}

type Data = NonNullable<InteractionCallbackBody['data']>

/** Checks an answer. Returns the function that carries the answer out once the interaction is claimed. */
export type Prepare = (
  deps: AnswerDeps,
  row: InteractionRow,
  data: Data,
) => Promise<() => Promise<Settlement>>

/** Functions that check an answer, by type of callback. */
export const prepareAnswer: Readonly<Record<string, Prepare>> = {
  message: prepareMessage,
  deferred: prepareDeferral,
  update: prepareUpdate,
  autocomplete: prepareSuggestions,
  modal: prepareModal,
}

async function prepareMessage(deps: AnswerDeps, row: InteractionRow, data: Data) {
  refuseTypes(row, ['autocomplete'])
  const access = await enterAsBot(deps, row, sendingOf(data))
  return sender(deps, { row, access }, await readContent(deps, access, data), 'answered')
}

async function prepareDeferral(deps: AnswerDeps, row: InteractionRow, { flags }: Data) {
  refuseTypes(row, ['autocomplete'])
  const wished = flags ?? 0
  if (wished & ~MessageFlag.Ephemeral)
    throw new ApiError('invalid_request', 'data.flags of a deferred answer can only be 4')
  const access = await enterAsBot(deps, row, sendingOf({ flags: wished }))
  return sender(deps, { row, access }, { flags: wished | MessageFlag.Loading }, 'deferred')
}

/** Returns the permission that the bot needs to send the message: none if it is ephemeral. */
function sendingOf({ flags }: Data): number {
  return isEphemeral({ flags: flags ?? 0 }) ? 0 : Permission.SendMessages
}

interface At {
  row: InteractionRow
  access: ChannelAccess
}

function sender(deps: AnswerDeps, at: At, content: Partial<AnswerContent>, state: Settlement['state']) {
  return async (): Promise<Settlement> => {
    if (isEphemeral({ flags: content.flags ?? 0 })) {
      const ephemeral = ephemeralOf(deps, at, content)
      return { state, originalId: ephemeral.id, ephemeral }
    }
    const to = { place: at.access.place, author: authorOf(at.access) }
    // The nonce prevents a second message if a later step fails and the bot retries.
    const nonce = `interaction ${at.row.id}`
    const { id } = await postMessage(deps, to, { ...postOf(at.row, content), nonce })
    return { state, originalId: id }
  }
}

async function prepareUpdate(deps: AnswerDeps, row: InteractionRow, data: Data) {
  const sourceId = row.source_message_id
  if (sourceId === null)
    throw new ApiError('invalid_request', 'only the message whose component was used can be updated')
  const access = await enterAsBot(deps, row)
  const change = changeOf(data)
  const ephemeral = await findEphemeral(deps.database, row.application_id, sourceId)
  return async (): Promise<Settlement> => {
    if (change === undefined) return { state: 'answered', originalId: sourceId }
    if (ephemeral === undefined) return edit(deps, access, sourceId, change)
    const changed = await changeEphemeral(deps, access, ephemeral.message, change)
    return { state: 'answered', originalId: sourceId, ephemeral: changed }
  }
}

async function edit(
  deps: AnswerDeps,
  access: ChannelAccess,
  messageId: string,
  change: Change,
): Promise<Settlement> {
  checkMayChange(access)
  checkParts(access, change)
  await editMessage(deps, { ...access, writer: editorOf(access) }, messageId, change)
  return { state: 'answered', originalId: messageId }
}

async function prepareSuggestions(deps: AnswerDeps, row: InteractionRow, { choices }: Data) {
  refuseTypes(row, ['command', 'component', 'modal'])
  const access = await enterAsBot(deps, row)
  const { command } = row.interaction
  const focused = command?.options.find((option) => option.focused)
  const known = await findCommand(deps.database, row.application_id, command?.id ?? '')
  const option = known?.options.find(({ name }) => name === focused?.name)
  const suggested = choices ?? []
  checkChoiceValues(option?.type ?? 'string', suggested, 'data.choices')
  await screenAnswer(deps, access, { components: suggested })
  return async (): Promise<Settlement> => ({ state: 'answered', choices: suggested })
}

async function prepareModal(deps: AnswerDeps, row: InteractionRow, data: Data) {
  refuseTypes(row, ['autocomplete', 'modal'])
  if (data.modal === undefined || data.modal === null)
    throw new ApiError('invalid_request', 'data.modal is required')
  const modal = checkModal(data.modal)
  const access = await enterAsBot(deps, row)
  await screenAnswer(deps, access, { content: modal.title, components: modal.components })
  return async (): Promise<Settlement> => ({ state: 'answered', modal })
}

function refuseTypes({ interaction: { type } }: InteractionRow, refused: readonly string[]): void {
  if (refused.includes(type))
    throw new ApiError(
      'invalid_request',
      `this type of callback is not allowed for an interaction of type ${type}`,
    )
}
