import { MessageType } from '@foyer/protocol/messages'
import { CallRecord } from '@foyer/protocol/voice'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { postMessage } from '#src/messages/posting.ts'
import { markReadIfCaughtUp } from '#src/messages/read-states/actions.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { endAbandoned } from './actions/calls.ts'
import { endRinging } from './actions/ringing.ts'
import { END_CALL, END_RINGING, POST_CALL } from './enqueueing.ts'

const Named = Type.Object({ conversation_id: Type.String() })
const Ended = Type.Object({
  ...CallRecord.properties,
  conversation_id: Type.String(),
  initiator_id: Type.String(),
  nonce: Type.String(),
})

/** Stops ringing, ends abandoned calls, and posts messages about ended calls. */
export function callJobs(deps: SendDeps): JobTable {
  return {
    handlers: {
      [END_RINGING]: (payload) => {
        const { conversation_id } = Parse(Named, payload)
        return deps.database.transaction((transaction) => endRinging(transaction, conversation_id))
      },
      [END_CALL]: (payload) => {
        const { conversation_id } = Parse(Named, payload)
        return deps.database.transaction((transaction) => endAbandoned(transaction, conversation_id))
      },
      [POST_CALL]: (payload) => postCall(deps, Parse(Ended, payload)),
    },
    schedule: [],
  }
}

async function postCall(deps: SendDeps, ended: Static<typeof Ended>): Promise<void> {
  const place = { tenantId: ended.conversation_id, channelId: ended.conversation_id }
  const seq = await postRecord(deps, place, ended)
  if (seq === undefined) return
  const others = ended.participant_ids.filter((id) => id !== ended.initiator_id)
  for (const userId of others) await markReadIfCaughtUp(deps, { place, userId }, seq)
}

/** @returns the message's `seq`; undefined if it cannot be posted */
async function postRecord(
  deps: SendDeps,
  place: Place,
  { initiator_id, nonce, started_at, ended_at, participant_ids }: Static<typeof Ended>,
): Promise<number | undefined> {
  const [user] = await findUsers(deps.database, [initiator_id])
  if (user === undefined) return undefined
  const call = { started_at, ended_at, participant_ids }
  const author = { user, member: null }
  try {
    const { seq } = await postMessage(deps, { place, author }, { type: MessageType.Call, call, nonce })
    return seq
  } catch (error) {
    // The conversation, or the message itself, was deleted.
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}
