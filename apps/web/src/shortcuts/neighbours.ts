import { RoomType } from '@foyer/protocol/rooms'
import { sortedConversations } from '#src/store/conversations.ts'
import { orderedSpaces, roomGroups, showsUnread } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'
import { listedThreads } from '#src/thread-rooms/in-use/listed-threads.ts'

export type Way = 'up' | 'down'

/** A page that the sidebar lists. */
interface Stop {
  readonly path: string
  readonly isUnread: boolean
}

/** Returns the path above or below the open page in its list, wrapping around at the ends. */
export function neighbourPath(state: State, here: string, way: Way): string | undefined {
  return next(stopsAround(state, here), here, way)?.path
}

/** Returns the next unread path: in this list, then in the following spaces and conversations. */
export function unreadPath(state: State, here: string, way: Way): string | undefined {
  const all = [
    ...conversationStops(state),
    ...orderedSpaces(state).flatMap(({ id }) => roomStops(state, id, here)),
  ]
  return next(
    all.filter((stop) => stop.isUnread || isAt(stop, here)),
    here,
    way,
  )?.path
}

/** Returns the path of the space above or below. Home is above the first space. */
export function spacePath(state: State, here: string, way: Way): string | undefined {
  const spaces = orderedSpaces(state).map(({ id }) => ({ path: `/spaces/${id}`, isUnread: false }))
  const stops = [{ path: '/home', isUnread: false }, ...spaces]
  const from = stops.find((stop) => isAt(stop, here))?.path ?? '/home'
  return next(stops, from, way)?.path
}

function stopsAround(state: State, here: string): Stop[] {
  const space = Object.keys(state.spaces).find((id) => here.startsWith(`/spaces/${id}`))
  return space === undefined ? conversationStops(state) : roomStops(state, space, here)
}

function conversationStops(state: State): Stop[] {
  return sortedConversations(state.conversations).map(({ id }) => ({
    path: `/conversations/${id}`,
    isUnread: showsUnread(state, id),
  }))
}

/** Returns the rooms of a space, each followed by the threads that are listed below it. */
function roomStops(state: State, spaceId: string, here: string): Stop[] {
  const openId = here.split('/')[4] ?? ''
  const rooms = roomGroups(state.rooms, spaceId).flatMap((group) => group.rooms)
  return rooms
    .filter(({ type }) => type !== RoomType.Category)
    .flatMap((room) => [room, ...listedThreads(state, room.id, openId)])
    .map(({ id }) => ({ path: `/spaces/${spaceId}/rooms/${id}`, isUnread: showsUnread(state, id) }))
}

function next(stops: readonly Stop[], here: string, way: Way): Stop | undefined {
  const index = stops.findIndex((stop) => isAt(stop, here))
  const step = way === 'down' ? 1 : -1
  // If the open page is not in the list, the next page is the first or last of the list.
  const from = index === -1 && way === 'up' ? stops.length : index
  const stop = stops[(from + step + stops.length) % Math.max(1, stops.length)]
  return stop !== undefined && isAt(stop, here) ? undefined : stop
}

function isAt({ path }: Stop, here: string): boolean {
  return here === path || here.startsWith(`${path}/`)
}
