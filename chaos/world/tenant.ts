import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Client } from '@foyer/sdk/client'
import type { Tokens } from '@foyer/sdk/rest'

/** An account, with a connected client. */
export interface Person {
  id: string
  name: string
  client: Client
  /** Tokens from signing up. */
  tokens: Tokens
  /** Capabilities that the client asks the gateway for. */
  capabilities: readonly string[]
}

/** A room or a conversation. */
export interface Channel {
  id: string
  address: ChannelAddress
  /** Relative frequency with which the channel is chosen. */
  weight: number
}

/** A space or a group. Its changes are made one after the other. */
export interface Tenant {
  id: string
  /** The user who can always see everything in the tenant. */
  owner: Person
  channels: readonly Channel[]
  /** Makes a change and waits for the answer. @returns the name of the change; undefined if there was nothing to change */
  change(): Promise<string | undefined>
}
