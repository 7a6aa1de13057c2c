import { MessageType } from '@foyer/protocol/messages'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobTable } from '#src/kernel/jobs.ts'
import { type ChargeDeps, takeOfSpace } from '#src/kernel/limits/rate-limits.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { POST_JOIN_MESSAGE } from '#src/spaces/joining.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { postUnlessGone } from './posting.ts'
import type { SendDeps } from './writing.ts'

const Payload = Type.Object({ space_id: Type.String(), room_id: Type.String(), user_id: Type.String() })

/** Posts join messages to the space's system room. */
export function joinMessageJobs(deps: SendDeps & ChargeDeps): JobTable {
  return {
    handlers: { [POST_JOIN_MESSAGE]: (payload) => postJoinMessage(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

async function postJoinMessage(
  deps: SendDeps & ChargeDeps,
  { space_id: tenantId, room_id: channelId, user_id }: Static<typeof Payload>,
): Promise<void> {
  const [[user], [member]] = await Promise.all([
    findUsers(deps.database, [user_id]),
    findMembers(deps.database, tenantId, [user_id]),
  ])
  // The user may have left or been banned before the job ran.
  if (user === undefined || member === undefined) return
  // Limits join messages: in a raid, they must not push the conversation out of the room.
  if (!(await takeOfSpace(deps, 'joinMessages', tenantId))) return
  // One nonce per member and space: a second run of the job, and leaving and joining again within a day, post nothing.
  const post = { type: MessageType.MemberJoined, nonce: `joined:${tenantId}` }
  await postUnlessGone(deps, { place: { tenantId, channelId }, author: { user, member } }, post)
}
