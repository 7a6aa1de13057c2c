import type { Event } from '../journal/bus.ts'

/** In a Valkey cluster, this many nodes share the work of carrying events. */
const SHARDS = 4

/** Events that only processes with gateway connections need. */
const GATEWAY_ONLY = /^(MESSAGE_|TYPING_|RECORDING_|PRESENCE_|VOICE_SIGNAL|VOICE_SPEAKING)/

const shards = Array.from({ length: SHARDS }, (_, index) => index)

/** All events of a tenant use one channel, and so stay in order. Names with the same braces are on the same node. */
export function channelOf({ name, topic }: Event): string {
  const family = GATEWAY_ONLY.test(name) ? 'm' : 'c'
  return `${family}:{${shardOf(topic.tenantId)}}`
}

/** Channels of beats. They follow the events of their shard. */
export const beatChannels = shards.map((shard) => `c:{${shard}}`)

export const gatewayChannels = shards.map((shard) => `m:{${shard}}`)

/** Returns the channel on which a process receives acknowledgements. */
export function ackChannelOf(processId: string): string {
  return `a:${processId}`
}

/** Uses the random digits at the end of an id. */
function shardOf(tenantId: string): number {
  return Number.parseInt(tenantId.slice(-4), 16) % SHARDS
}
