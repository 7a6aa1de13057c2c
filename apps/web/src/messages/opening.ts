import { RoomType } from '@foyer/protocol/rooms'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import { loadUnread, syncLatest } from './history.ts'

interface Opening {
  readonly channelId: string
  readonly work: Promise<void>
}

const openings = new WeakMap<Session, Opening>()

/**
 * Asks for the messages of the channel that an address names: as soon as what is said there is heard, while all about them is
 * still to be drawn.
 */
export function openAt(session: Session, pathname: string): void {
  const state = session.store.get()
  const address = channelAt(pathname, state)
  if (address === null) return
  const channelId = channelIdOf(address)
  if (state.timelines[channelId] !== undefined) return
  const isUnread = (state.readStates[channelId]?.unread_count ?? 0) > 0
  const load = isUnread ? loadUnread : syncLatest
  const work = load(session, address).finally(() => openings.delete(session))
  // Who waits for it is told; who does not asks again.
  work.catch(() => undefined)
  openings.set(session, { channelId, work })
}

/** The asking that is under way for this channel. */
export function openingOf(session: Session, channelId: string): Promise<void> | undefined {
  const opening = openings.get(session)
  return opening?.channelId === channelId ? opening.work : undefined
}

/** Not where the address names a message, about which others are asked for. */
function channelAt(pathname: string, { rooms, conversations }: State): ChannelAddress | null {
  const [, kind, id = '', , roomId = '', messageId] = pathname.split('/')
  if (kind === 'spaces' && messageId === undefined)
    return rooms[roomId]?.type === RoomType.Text ? roomId : null
  if (kind === 'conversations' && roomId === '') return id in conversations ? { conversation: id } : null
  return null
}
