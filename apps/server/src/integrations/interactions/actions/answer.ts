import type { InteractionCallbackBody } from '@foyer/protocol/interactions'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { type Prepare, prepareAnswer, type Settlement } from '../answer-kinds.ts'
import { claimAnswer, finishAnswer, reopen } from '../answer-queries.ts'
import type { AnswerDeps } from '../answering.ts'
import { findInteraction, type InteractionRow } from '../queries.ts'
import { updateInvoker } from './updates.ts'

/**
 * Answers an interaction. All checks run before the answer claims the interaction; only the first answer can. If it
 * then fails, the interaction is open again.
 * @throws ApiError 400 for a second or late answer
 */
export async function answer(
  deps: AnswerDeps,
  row: InteractionRow,
  { type, data }: InteractionCallbackBody,
): Promise<void> {
  const prepare: Prepare | undefined = prepareAnswer[type]
  if (prepare === undefined) throw new Error(`nobody carries out answers of type ${type}`)
  const carryOut = await prepare(deps, row, data ?? {})
  const isFirst = await deps.database.transaction((transaction) => claimAnswer(transaction, row.id))
  if (!isFirst) throw await refusalOf(deps, row.id)
  try {
    const settlement = await carryOut()
    await deps.database.transaction((transaction) => settle(transaction, row, settlement))
  } catch (error) {
    await deps.database.execute(reopen(row.id))
    throw error
  }
}

/** @throws ApiError if the interaction was already answered */
export function refuseAnswered({ state }: InteractionRow): void {
  if (state !== 'open') throw new ApiError('interaction_answered')
}

async function refusalOf({ database }: AnswerDeps, id: string): Promise<ApiError> {
  const row = await findInteraction(database, id)
  const isAnswered = row?.state === 'answering' || row?.state === 'answered'
  return new ApiError(isAnswered ? 'interaction_answered' : 'interaction_expired')
}

async function settle(
  transaction: Transaction,
  row: InteractionRow,
  { state, originalId, ephemeral, choices, modal }: Settlement,
): Promise<void> {
  await finishAnswer(transaction, row.id, { originalId, modal })
  await updateInvoker(transaction, row, { state, message: ephemeral, choices, modal })
}
