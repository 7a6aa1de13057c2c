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
  /** The client asks the gateway for these. */
  capabilities: readonly string[]
}

/** A room or a conversation. */
export interface Channel {
  id: string
  address: ChannelAddress
  /** Relative frequency with which it is chosen. */
  weight: number
}

/** A space or a group. Its changes are made one after the other. */
export interface Tenant {
  id: string
  /** Can always see everything there. */
  owner: Person
  channels: readonly Channel[]
  /** Makes a change and waits for the answer. @returns its name; undefined when there was nothing to change */
  change(): Promise<string | undefined>
}
