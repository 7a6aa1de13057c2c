import { path } from './rest.ts'

/** The channel of messages: a room's id, or a conversation. */
export type ChannelAddress = string | { conversation: string }

export function channelPath(channel: ChannelAddress): string {
  if (typeof channel === 'string') return path`/api/rooms/${channel}`
  return path`/api/conversations/${channel.conversation}`
}
