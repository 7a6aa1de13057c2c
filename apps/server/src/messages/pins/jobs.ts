import { MessageType } from '@foyer/protocol/messages'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { isConversation, type Place, placeNamed } from '#src/channels/place.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Author } from '#src/messages/authors.ts'
import { postUnlessGone } from '#src/messages/posting.ts'
import { findMessage } from '#src/messages/reading.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'

const NAME = 'post_pin_notice'

const Payload = Type.Object({
  tenant_id: Type.String(),
  channel_id: Type.String(),
  message_id: Type.String(),
  user_id: Type.String(),
  nonce: Type.String(),
})

/** Posts the system messages about pins. */
export function pinJobs(deps: SendDeps): JobTable {
  return {
    handlers: { [NAME]: (payload) => postPinMessage(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** Enqueues the job in the transaction that pins. The job may run twice; the nonce prevents a second message. */
export async function enqueuePinMessage(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  { messageId, userId }: { messageId: string; userId: string },
): Promise<void> {
  const place = { tenant_id: tenantId, channel_id: channelId }
  const pin = { message_id: messageId, user_id: userId }
  await enqueueJob(transaction, NAME, { ...place, ...pin, nonce: newId() })
}

async function postPinMessage(deps: SendDeps, pin: Static<typeof Payload>): Promise<void> {
  const place = { tenantId: pin.tenant_id, channelId: pin.channel_id }
  const [author, reply] = await Promise.all([
    findAuthor(deps.database, place, pin.user_id),
    findMessage(deps, place, pin.message_id),
  ])
  // The pinned message was deleted: there is nothing to refer to.
  if (author === undefined || reply === undefined) return
  const to = { place: placeNamed(reply) ?? place, author }
  await postUnlessGone(deps, to, { type: MessageType.PinNotice, reply, nonce: pin.nonce })
}

async function findAuthor(database: Queryable, place: Place, userId: string): Promise<Author | undefined> {
  const [[user], members] = await Promise.all([
    findUsers(database, [userId]),
    isConversation(place) ? [] : findMembers(database, place.tenantId, [userId]),
  ])
  return user && { user, member: members[0] ?? null }
}
