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

/** Requests the messages of the channel in the URL as soon as READY is received, before the page is rendered. */
export function openAt(session: Session, pathname: string): void {
  const state = session.store.get()
  const address = channelAt(pathname, state)
  if (address === null) return
  const channelId = channelIdOf(address)
  if (state.timelines[channelId] !== undefined) return
  const isUnread = (state.readStates[channelId]?.unread_count ?? 0) > 0
  const load = isUnread ? loadUnread : syncLatest
  const work = load(session, address).finally(() => openings.delete(session))
  // Callers that await the work get the error; otherwise the channel loads again when opened.
  work.catch(() => undefined)
  openings.set(session, { channelId, work })
}

/** Returns the request that `openAt` started for this channel; undefined if none is under way. */
export function openingOf(session: Session, channelId: string): Promise<void> | undefined {
  const opening = openings.get(session)
  return opening?.channelId === channelId ? opening.work : undefined
}

/** Returns the URL's text room or conversation; null if there is none, or if the URL names a message to load instead. */
function channelAt(pathname: string, { rooms, conversations }: State): ChannelAddress | null {
  const [, kind, id = '', , roomId = '', messageId] = pathname.split('/')
  if (kind === 'spaces' && messageId === undefined)
    return rooms[roomId]?.type === RoomType.Text ? roomId : null
  if (kind === 'conversations' && roomId === '') return id in conversations ? { conversation: id } : null
  return null
}
