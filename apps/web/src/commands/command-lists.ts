import type { AvailableCommand } from '@foyer/protocol/commands'
import type { Client } from '@foyer/sdk/client'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Session } from '#src/session/session.ts'

/** A channel as the key of a command list: commands are listed per space, or per conversation. */
export interface CommandChannel {
  readonly id: string
  readonly spaceId: string | null
}

export type CommandsState = 'loading' | 'here' | 'stale' | 'failed'

interface ListedCommands {
  /** Sorted by name. The previous list stays while it is reloaded. */
  readonly commands: readonly AvailableCommand[]
  readonly state: CommandsState
}

type Lists = Readonly<Record<string, ListedCommands>>

const sessions = new WeakMap<Session, CommandLists>()

/** Commands of the bots in a space or conversation, loaded when the user starts to type a command. */
export class CommandLists {
  readonly api: StoreApi<Lists> = createStore<Lists>(() => ({}))
  readonly #client: Client

  static of(session: Session): CommandLists {
    const lists = sessions.get(session) ?? new CommandLists(session.client)
    sessions.set(session, lists)
    return lists
  }

  private constructor(client: Client) {
    this.#client = client
    const forget = () => this.#forget(() => true)
    client.gateway.on('APPLICATION_COMMANDS_UPDATE', forget)
    // Changes may have been missed while disconnected.
    client.gateway.on('READY', forget)
    // Commands come and go with their bot.
    client.gateway.on('SPACE_MEMBER_CREATE', ({ space_id, user }) => {
      if (user.is_bot) this.#forget((key) => key === space_id)
    })
    client.gateway.on('SPACE_MEMBER_DELETE', ({ space_id }) => this.#forget((key) => key === space_id))
  }

  /** Loads the commands unless they are loaded or loading. */
  load(channel: CommandChannel): void {
    const key = keyOf(channel)
    const listed = this.api.getState()[key]
    if (listed?.state === 'loading' || listed?.state === 'here') return
    const before = listed?.commands ?? []
    this.#set(key, { commands: before, state: 'loading' })
    this.#ask(channel).then(
      (commands) => {
        // Changes while loading make the list stale, so it is loaded again.
        const isFresh = this.api.getState()[key]?.state === 'loading'
        this.#set(key, { commands: commands.sort(byName), state: isFresh ? 'here' : 'stale' })
      },
      () => this.#set(key, { commands: before, state: 'failed' }),
    )
  }

  #ask({ id, spaceId }: CommandChannel): Promise<AvailableCommand[]> {
    const { interactions } = this.#client
    return spaceId === null ? interactions.listOfConversation(id) : interactions.listOfSpace(spaceId)
  }

  #set(key: string, listed: ListedCommands): void {
    this.api.setState((lists) => ({ ...lists, [key]: listed }), true)
  }

  #forget(isMeant: (key: string) => boolean): void {
    const lists = Object.entries(this.api.getState())
    this.api.setState(
      Object.fromEntries(
        lists.map(([key, listed]) => [key, isMeant(key) ? { ...listed, state: 'stale' } : listed]),
      ),
      true,
    )
  }
}

export function keyOf({ id, spaceId }: CommandChannel): string {
  return spaceId ?? id
}

function byName(a: AvailableCommand, b: AvailableCommand): number {
  return a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)
}
