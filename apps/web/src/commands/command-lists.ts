import type { AvailableCommand } from '@foyer/protocol/commands'
import type { Client } from '@foyer/sdk/client'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Session } from '#src/session/session.ts'

/** Where one writes, as far as it matters for commands: a room of a space, or a conversation without one. */
export interface CommandPlace {
  readonly id: string
  readonly spaceId: string | null
}

interface ListedCommands {
  /** By name. Those of the last answer, also while they are asked for anew. */
  readonly commands: readonly AvailableCommand[]
  readonly state: 'loading' | 'here' | 'stale' | 'failed'
}

type Lists = Readonly<Record<string, ListedCommands>>

const sessions = new WeakMap<Session, CommandLists>()

/** What the bots of a space or a conversation can be asked, fetched when somebody begins to type a command. */
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
    // A session that begins anew may have missed some.
    client.gateway.on('READY', forget)
    // With a bot its commands come and go.
    client.gateway.on('SPACE_MEMBER_CREATE', ({ space_id, user }) => {
      if (user.is_bot) this.#forget((key) => key === space_id)
    })
    client.gateway.on('SPACE_MEMBER_DELETE', ({ space_id }) => this.#forget((key) => key === space_id))
  }

  /** Asks for them, unless they are known or on their way. */
  load(place: CommandPlace): void {
    const key = keyOf(place)
    const listed = this.api.getState()[key]
    if (listed?.state === 'loading' || listed?.state === 'here') return
    const before = listed?.commands ?? []
    this.#set(key, { commands: before, state: 'loading' })
    this.#ask(place).then(
      (commands) => {
        // What changed while they were on their way has them asked for once more.
        const isNews = this.api.getState()[key]?.state === 'loading'
        this.#set(key, { commands: commands.sort(byName), state: isNews ? 'here' : 'stale' })
      },
      () => this.#set(key, { commands: before, state: 'failed' }),
    )
  }

  #ask({ id, spaceId }: CommandPlace): Promise<AvailableCommand[]> {
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

export function keyOf({ id, spaceId }: CommandPlace): string {
  return spaceId ?? id
}

function byName(a: AvailableCommand, b: AvailableCommand): number {
  return a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)
}
