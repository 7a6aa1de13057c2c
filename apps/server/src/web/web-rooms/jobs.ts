import { LEAST_ID } from '@foyer/protocol/ids'
import { MessageType } from '@foyer/protocol/messages'
import { type WebNotice, webNoticeContent } from '@foyer/protocol/web-rooms'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { postUnlessGone } from '#src/messages/posting.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { publishRooms } from './actions/publishing.ts'
import { listRoomsOnWeb, listSpacesOnWeb } from './queries.ts'

const POST_NOTICE = 'post_web_notice'
const PUBLISH_ALL = 'publish_web_rooms'

/** Spaces whose rooms are published in one run. */
const SPACES_BATCH = 100

const Notice = Type.Object({
  space_id: Type.String(),
  room_id: Type.String(),
  user_id: Type.String(),
  content: Type.String(),
  nonce: Type.String(),
})

const Batch = Type.Object({ after: Type.Optional(Type.String()) })

/**
 * Jobs that post notices about public rooms, and publish all these rooms after operators allowed or forbade public
 * pages.
 */
export function webRoomJobs(deps: SendDeps): JobTable {
  return {
    handlers: {
      [POST_NOTICE]: (payload) => postNotice(deps, Parse(Notice, payload)),
      [PUBLISH_ALL]: (payload) => publishBatch(deps.database, Parse(Batch, payload).after),
    },
    schedule: [],
  }
}

/** Enqueues the notice in the transaction of the change. The job may run twice; the nonce prevents a second message. */
export async function enqueueNotice(
  transaction: Queryable,
  { spaceId, roomId, userId }: { spaceId: string; roomId: string; userId: string },
  notice: WebNotice,
): Promise<void> {
  const place = { space_id: spaceId, room_id: roomId, user_id: userId }
  await enqueueJob(transaction, POST_NOTICE, { ...place, content: webNoticeContent(notice), nonce: newId() })
}

/** Enqueues publishing all public rooms to clients, after operators allowed or forbade public pages. */
export async function enqueuePublishing(transaction: Queryable): Promise<void> {
  await enqueueJob(transaction, PUBLISH_ALL, {})
}

async function postNotice(
  deps: SendDeps,
  { space_id: tenantId, room_id: channelId, user_id, content, nonce }: Static<typeof Notice>,
): Promise<void> {
  const [[user], [member = null]] = await Promise.all([
    findUsers(deps.database, [user_id]),
    findMembers(deps.database, tenantId, [user_id]),
  ])
  if (user === undefined) return
  const to = { place: { tenantId, channelId }, author: { user, member } }
  await postUnlessGone(deps, to, { type: MessageType.WebNotice, content, nonce })
}

async function publishBatch(database: Database, after = LEAST_ID): Promise<void> {
  const spaceIds = await listSpacesOnWeb(database, after, SPACES_BATCH)
  for (const spaceId of spaceIds)
    await database.transactionIn(spaceId, async (transaction) =>
      publishRooms(transaction, spaceId, await listRoomsOnWeb(transaction, spaceId)),
    )
  const last = spaceIds[SPACES_BATCH - 1]
  if (last !== undefined) await enqueueJob(database, PUBLISH_ALL, { after: last })
}
