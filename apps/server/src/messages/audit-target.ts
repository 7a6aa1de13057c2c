import type { Place } from '#src/channels/place.ts'

/** Returns a message as the target of a change, for the audit log of its space. */
export function targetOf({ channelId: roomId }: Place, { id }: { id: string }) {
  return { type: 'message', id, roomId } as const
}
