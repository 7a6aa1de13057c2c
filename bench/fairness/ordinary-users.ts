import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from '../load/accounts.ts'
import { createCrowd, type Identity } from '../load/crowd.ts'
import { GatewayConnection } from '../load/gateway-connection.ts'
import { inGroups } from '../load/groups.ts'
import { HttpClient } from '../load/http-client.ts'
import { Ledger, type Sent } from '../load/ledger.ts'
import { fillRoom, withDatabase } from '../load/messages.ts'
import type { Foyer } from '../server/foyer.ts'
import { type Action, type ActionKind, ordinaryActions, type QuietRoom } from './ordinary-actions.ts'

export interface Population {
  /** Person n is in space n modulo the number of spaces. */
  people: readonly Identity[]
  /** One room per space, in which its people talk. */
  roomIds: readonly string[]
  /** Rooms without listeners, for every action that is not a short message. */
  quietRooms: readonly QuietRoom[]
}

/** The outcome of one action. */
export interface Observation {
  kind: ActionKind
  /** The time at which the action was due. The measured time includes delays before it started. */
  dueAt: number
  ms: number
  /** HTTP status; 0 if there was no answer. */
  status: number
}

const QUIET_ROOMS = 4
const QUIET_MESSAGES = 200
const OPENING_AT_ONCE = 10
const BEAT_MS = 20_000
const MAX_LATE_MS = 25_000
const POLL_MS = 20
const RETRY_MS = 500

/** Creates the ordinary users, on a server without limits. */
export async function settle(
  foyer: Foyer,
  { people, spaces }: { people: number; spaces: number },
): Promise<Population> {
  const { hosts, identities } = await createCrowd(foyer, { people, spaces, spacesEach: 1, rooms: 0 })
  const owners = await signUp(foyer.port, QUIET_ROOMS, spaces)
  const quietRooms: QuietRoom[] = []
  for (const owner of owners) quietRooms.push(await makeQuietRoom(foyer, owner))
  return { people: identities, roomIds: hosts.map(({ roomId }) => roomId), quietRooms }
}

async function makeQuietRoom(
  foyer: Foyer,
  { client, userId, spaceId, roomId, ...account }: Account,
): Promise<QuietRoom> {
  const { id, token } = await client.webhooks.create(roomId, { name: 'Deliveries' })
  await withDatabase(foyer, async (database) => {
    await fillRoom(database, { spaceId, roomId, authorIds: [userId], count: QUIET_MESSAGES })
    await database.execute(sql`analyze messages`)
  })
  const identity = { token: account.accessToken, session_token: account.sessionToken }
  return { identity, spaceId, roomId, webhookPath: `/api/webhooks/${id}/${token}/github` }
}

/** Connects the people and performs their actions at fixed times, whether or not earlier ones were answered. */
export class OrdinaryUsers {
  readonly #port: number
  readonly #population: Population
  readonly #ledgers: readonly Ledger[]
  readonly #listeners: readonly GatewayConnection[]
  readonly #client: HttpClient
  readonly #observations: Observation[] = []
  readonly #over = new AbortController()
  readonly #beat: NodeJS.Timeout
  #underWay = 0

  private constructor(port: number, population: Population, listening: Listening) {
    this.#port = port
    this.#population = population
    this.#ledgers = listening.ledgers
    this.#listeners = listening.listeners
    this.#client = new HttpClient(port)
    this.#beat = setInterval(() => this.#beatAll(), BEAT_MS)
    for (const action of ordinaryActions) void this.#repeat(action)
  }

  static async arrive(port: number, population: Population): Promise<OrdinaryUsers> {
    return new OrdinaryUsers(port, population, await listen(port, population))
  }

  /** Returns the actions that were due since `time`, in the order in which they ended. */
  since(time: number): Observation[] {
    return this.#observations.filter(({ dueAt }) => dueAt >= time)
  }

  /** Returns the messages that were sent since `time` and acknowledged. */
  sentSince(time: number): Sent[] {
    return this.#ledgers.flatMap((ledger) => ledger.ackedSince(time).filter(({ sentAt }) => sentAt >= time))
  }

  /** Number of gateway connections that the server closed. */
  get cutOff(): number {
    return this.#listeners.filter(({ isOpen }) => !isOpen).length
  }

  /** Waits for the actions that are still under way. */
  async leave(): Promise<void> {
    this.#over.abort()
    clearInterval(this.#beat)
    const deadline = performance.now() + MAX_LATE_MS
    while (this.#underWay > 0 && performance.now() < deadline) await sleep(POLL_MS)
    this.#client.close()
    for (const listener of this.#listeners) listener.close()
  }

  #beatAll(): void {
    for (const listener of this.#listeners) if (listener.isOpen) listener.beat()
  }

  async #repeat(action: Action): Promise<void> {
    const startedAt = performance.now()
    const gapMs = 1000 / action.perSecond(this.#population.people.length)
    for (let turn = 0; !this.#over.signal.aborted; turn += 1) {
      const dueAt = startedAt + turn * gapMs
      await sleep(Math.max(0, dueAt - performance.now()))
      if (!this.#over.signal.aborted) void this.#observe(action, turn, dueAt)
    }
  }

  async #observe({ kind, perform }: Action, turn: number, dueAt: number): Promise<void> {
    this.#underWay += 1
    const { status, seq } = await perform({
      ...this.#population,
      port: this.#port,
      client: this.#client,
      turn,
    })
    this.#observations.push({ kind, dueAt, ms: performance.now() - dueAt, status })
    if (seq !== undefined) this.#ledgers[turn % this.#ledgers.length]?.acknowledge(seq, dueAt)
    this.#underWay -= 1
  }
}

interface Listening {
  ledgers: readonly Ledger[]
  listeners: readonly GatewayConnection[]
}

/** Connects all users to the gateway. The ledgers record the messages of each space's room. */
async function listen(port: number, { people, roomIds }: Population): Promise<Listening> {
  const inRoom = (room: number) => people.filter((_, index) => index % roomIds.length === room).length
  const ledgers = roomIds.map((_, room) => new Ledger(inRoom(room)))
  const listeners = await inGroups([...people.entries()], OPENING_AT_ONCE, ([index, person]) => {
    const onMessage = ledgers[index % ledgers.length]?.listener()
    const account = { accessToken: person.token, sessionToken: person.session_token }
    return untilOpen(() => GatewayConnection.open(port, account, onMessage && { onMessage }))
  })
  return { ledgers, listeners }
}

/** Tries again as clients do, because a busy server refuses connections. */
async function untilOpen(open: () => Promise<GatewayConnection>): Promise<GatewayConnection> {
  const deadline = performance.now() + MAX_LATE_MS
  const openAgain = async (error: unknown): Promise<GatewayConnection> => {
    if (performance.now() > deadline) throw error
    await sleep(RETRY_MS)
    return open().catch(openAgain)
  }
  return open().catch(openAgain)
}
