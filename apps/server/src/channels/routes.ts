import { type ChannelParams, channelPaths } from '@foyer/protocol/channels'
import { type Static, type TObject, type TProperties, type TUnsafe, Type } from 'typebox'

export interface ChannelKind {
  /** Beginning of the routes' paths, like `/api/rooms/:roomId`. */
  base: string
  /** Returns the schema of the parameters of a path below `base`: those of the channel, and the given fields. */
  params<Fields extends TProperties>(fields: Fields): TUnsafe<ChannelParams & Static<TObject<Fields>>>
}

/** Registers routes that rooms and conversations have in common. */
export function forEachChannel(register: (kind: ChannelKind) => void): void {
  for (const { base, params } of channelPaths)
    register({ base, params: (fields) => Type.Unsafe(Type.Object({ ...params.properties, ...fields })) })
}
