import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Client } from '@foyer/sdk/client'
import type { Tokens } from '@foyer/sdk/rest'

/** Somebody with an account, and a client that listens. */
export interface Person {
  id: string
  name: string
  client: Client
  /** Those it began with. */
  tokens: Tokens
}

/** Where messages are. */
export interface Channel {
  id: string
  address: ChannelAddress
  /** How often it is chosen, beside others. */
  weight: number
}

/** A space or a group, in which one change is made after the other. */
export interface Place {
  id: string
  /** Who sees everything there, all the time. */
  owner: Person
  channels: readonly Channel[]
  /** Makes some change and waits for the answer. @returns what it was; undefined when there was nothing to change */
  change(): Promise<string | undefined>
}
