import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { ApiError } from '@foyer/sdk/rest'
import type { Session } from '#src/session/session.ts'
import { addressOf, channelIdOf, roomOf } from '#src/store/channels.ts'
import { isUnread, roomIdsOf } from '#src/store/selectors.ts'

/** Marks a channel as read up to its newest message, on all of the user's devices. */
export async function markRead({ client, store }: Session, channel: ChannelAddress): Promise<void> {
  const id = channelIdOf(channel)
  const state = store.get()
  const { last_message_id = null, last_seq = 0 } = roomOf(state, id) ?? state.conversations[id] ?? {}
  if (last_seq === 0) return
  store.dispatch('channel_read', { channel_id: id, seq: last_seq })
  const settle = () => store.dispatch('read_settled', { channel_id: id, seq: last_seq })
  const acknowledge = (messageId: string) => client.messages.ack(channel, messageId)
  try {
    await acknowledge(last_message_id ?? '').catch(async (error) => {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
      // The message was deleted: uses the newest remaining one.
      const [newest] = await client.messages.list(channel, { limit: 1 })
      if (newest !== undefined) await acknowledge(newest.id)
    })
  } finally {
    settle()
  }
}

/** Marks all unread channels, or all rooms of a space, as read. One after another, as there may be hundreds. */
export async function markAllRead(session: Session, spaceId?: string): Promise<void> {
  const state = session.store.get()
  for (const id of spaceId === undefined ? Object.keys(state.readStates) : roomIdsOf(state, spaceId)) {
    if (!isUnread(state, id)) continue
    if (roomOf(state, id) !== undefined) await markRead(session, id)
    else if (id in state.conversations) await markRead(session, { conversation: id })
  }
}

/** Marks a message and all after it as unread. */
export async function markUnread({ client, store }: Session, message: Message): Promise<void> {
  const channel = addressOf(message)
  const held = store.get().timelines[channelIdOf(channel)]?.messages ?? []
  const before = held.findLast(({ seq }) => seq < message.seq)
  const [last] =
    before === undefined ? await client.messages.list(channel, { before: message.id, limit: 1 }) : [before]
  // The read state can't go back before a channel's first message.
  if (last !== undefined) await client.messages.ack(channel, last.id)
}
