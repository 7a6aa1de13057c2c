import { MessageType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { useAppState } from '#src/session/context.ts'
import { ownerRoomOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import { useEnd } from '#src/ui/time/use-end.ts'
import type { OpenChannel } from './channel-context.ts'

export interface SlowMode {
  /** Minimum time between two messages of the user; 0 if slow mode is off, and for moderators. */
  readonly seconds: number
  /** The earliest time of the user's next message, in milliseconds since 1970; null if there is no wait. */
  readonly until: number | null
}

/** Returns how long slow mode makes the user wait, counted from their newest loaded message. */
export function useSlowMode({ id, may }: OpenChannel): SlowMode {
  const isModerator =
    may(Permission.ManageMessages) || may(Permission.ManageChannels) || may('BypassSlowMode')
  const set = useAppState((state) => state.rooms[ownerRoomOf(state, id)]?.slow_mode_seconds ?? 0)
  const seconds = isModerator ? 0 : set
  const last = useAppState((state) => (seconds === 0 ? null : lastOwn(state, id)))
  const until = useEnd(last === null ? null : Date.parse(last) + seconds * 1000)
  return { seconds, until }
}

/** Ignores messages from before the room's last change, because that may have turned slow mode on. */
function lastOwn(state: State, channelId: string): string | null {
  const { me, rooms, timelines } = state
  const own = timelines[channelId]?.messages.findLast(
    ({ author, type }) => author.id === me?.id && type === MessageType.Default,
  )
  const changedAt = Date.parse(rooms[ownerRoomOf(state, channelId)]?.updated_at ?? '')
  return own !== undefined && Date.parse(own.created_at) >= changedAt ? own.created_at : null
}
