import type { Event } from '../journal/bus.ts'

/** Number of shards: up to this many nodes of a Valkey cluster share the work of carrying events. */
const SHARDS = 4

/** Events that only processes with gateway connections need. */
const GATEWAY_ONLY = /^(MESSAGE_|TYPING_|RECORDING_|PRESENCE_|VOICE_SIGNAL|VOICE_SPEAKING)/

const shards = Array.from({ length: SHARDS }, (_, index) => index)

/** Returns the channel of an event. The text in braces puts a tenant's channels on the same node, so its events stay in order. */
export function channelOf({ name, topic }: Event): string {
  const family = GATEWAY_ONLY.test(name) ? 'm' : 'c'
  return `${family}:{${shardOf(topic.tenantId)}}`
}

/** Channels of beats, one per shard: a beat arrives after the events of its shard that were sent before. */
export const beatChannels = shards.map((shard) => `c:{${shard}}`)

export const gatewayChannels = shards.map((shard) => `m:{${shard}}`)

/** Returns the channel on which a process receives acknowledgements. */
export function ackChannelOf(processId: string): string {
  return `a:${processId}`
}

/** Returns the shard of a tenant, from the random digits at the end of its id. */
function shardOf(tenantId: string): number {
  return Number.parseInt(tenantId.slice(-4), 16) % SHARDS
}
