import type { Event } from '../bus.ts'

/** In a Valkey cluster, as many nodes can share the work of carrying events. */
const SHARDS = 4

/** What only processes with gateway connections need. */
const GATEWAY_ONLY = /^(MESSAGE_|TYPING_|RECORDING_|PRESENCE_|VOICE_SIGNAL|VOICE_SPEAKING)/

const shards = Array.from({ length: SHARDS }, (_, index) => index)

/** Every event of a tenant goes one way, and so stays in order. Names with the same braces are on the same node. */
export function channelOf({ name, topic }: Event): string {
  const family = GATEWAY_ONLY.test(name) ? 'm' : 'c'
  return `${family}:{${shardOf(topic.tenantId)}}`
}

/** Where beats go: they follow the events of their shard. */
export const beatChannels = shards.map((shard) => `c:{${shard}}`)

export const gatewayChannels = shards.map((shard) => `m:{${shard}}`)

/** Where a process is told who has heard what it published. */
export function ackChannelOf(processId: string): string {
  return `a:${processId}`
}

/** Ids end in random digits. */
function shardOf(tenantId: string): number {
  return Number.parseInt(tenantId.slice(-4), 16) % SHARDS
}
