import { type ChannelParams, channelPaths } from '@foyer/protocol/channels'
import { type Static, type TObject, type TProperties, type TUnsafe, Type } from 'typebox'

export interface ChannelKind {
  /** Where the routes of this kind begin, like `/api/rooms/:roomId`. */
  base: string
  /** The parameters of a path below it: the channel, and these. */
  params<Fields extends TProperties>(fields: Fields): TUnsafe<ChannelParams & Static<TObject<Fields>>>
}

/** Registers what rooms and conversations have in common, for both. */
export function forEachChannel(register: (kind: ChannelKind) => void): void {
  for (const { base, params } of channelPaths)
    register({ base, params: (fields) => Type.Unsafe(Type.Object({ ...params.properties, ...fields })) })
}
