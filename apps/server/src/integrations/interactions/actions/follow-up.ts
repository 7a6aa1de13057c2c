import type { AnswerMessage } from '@foyer/protocol/interactions'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deleteMessage } from '#src/messages/actions/messages.ts'
import { checkMayChange, checkParts } from '#src/messages/content-rights.ts'
import { editMessage } from '#src/messages/editing.ts'
import { postMessage } from '#src/messages/posting.ts'
import { findMessage } from '#src/messages/reading.ts'
import { editorOf } from '#src/messages/screening.ts'
import { deleteEphemeral, findEphemeral } from '../answer-queries.ts'
import {
  type AnswerDeps,
  authorOf,
  enterAsBot,
  ephemeralOf,
  isEphemeral,
  postOf,
  readContent,
} from '../answering.ts'
import { changeEphemeral, changeOf } from '../changes.ts'
import type { InteractionRow } from '../queries.ts'
import { updateInvoker } from './updates.ts'

/** Path segment that stands for the original answer in place of its id. */
export const ORIGINAL = '@original'

/** Sends another message after the answer. */
export async function followUp(deps: AnswerDeps, row: InteractionRow, data: AnswerMessage): Promise<Message> {
  const isForOne = isEphemeral({ flags: data.flags ?? 0 })
  const access = await enterAsBot(deps, row, isForOne ? 0 : Permission.SendMessages)
  const content = await readContent(deps, access, data)
  if (!isForOne)
    return postMessage(deps, { place: access.place, author: authorOf(access) }, postOf(row, content))
  const message = ephemeralOf(deps, { row, access }, content)
  await deps.database.transaction((transaction) =>
    updateInvoker(transaction, row, { state: 'answered', message }),
  )
  return message
}

/** A message of the interaction: its answer or a follow-up. */
export interface Answered {
  row: InteractionRow
  access: ChannelAccess
  message: Message
  /** True for an ephemeral message. */
  isForOne: boolean
}

/** @throws ApiError 404 for a message that was deleted or does not belong to the interaction */
export async function accessAnswered(
  deps: AnswerDeps,
  row: InteractionRow,
  messageId: string,
): Promise<Answered> {
  const access = await enterAsBot(deps, row)
  const id = messageId === ORIGINAL ? row.original_message_id : messageId
  if (id === null) throw new ApiError('unknown_message')
  const ephemeral = await findEphemeral(deps.database, row.application_id, id)
  const message = ephemeral?.message ?? (await findMessage(deps, access.place, id))
  const isOwn = message?.interaction?.id === row.id || id === row.original_message_id
  if (message === undefined || !isOwn) throw new ApiError('unknown_message')
  return { row, access, message, isForOne: ephemeral !== undefined }
}

/** Changes the message. The first change of a deferred message sets its content. */
export async function updateAnswered(
  deps: AnswerDeps,
  { row, access, message, isForOne }: Answered,
  data: AnswerMessage,
): Promise<Message> {
  const change = changeOf(data)
  if (change === undefined) return message
  if (!isForOne) {
    checkMayChange(access)
    checkParts(access, change)
    return editMessage(deps, { ...access, writer: editorOf(access) }, message.id, change)
  }
  const changed = await changeEphemeral(deps, access, message, change)
  await deps.database.transaction((transaction) =>
    updateInvoker(transaction, row, { state: 'answered', message: changed }),
  )
  return changed
}

export async function deleteAnswered(
  deps: AnswerDeps,
  { row, access, message, isForOne }: Answered,
): Promise<void> {
  if (!isForOne) return deleteMessage(deps, access, message.id)
  await deps.database.transaction(async (transaction) => {
    if (!(await deleteEphemeral(transaction, row.application_id, message.id)))
      throw new ApiError('unknown_message')
    await updateInvoker(transaction, row, { state: 'deleted', message })
  })
}
