import type { Findings } from '../audit/findings.ts'
import type { Asker } from '../load/ask.ts'
import type { Recent } from '../load/recent.ts'
import type { Dice } from '../random.ts'
import type { Ledger } from './ledger.ts'
import type { Sights } from './sight.ts'
import type { Channel, Person } from './tenant.ts'
import { type ThreadedRoom, threadChannel } from './threads.ts'

/** A change of a thread, a post or a forum by the owner. */
export interface ThreadChange {
  name: string
  request: () => Promise<unknown>
  /** Called with the answer, unless an earlier try may have made the change. */
  note?: (result: unknown) => void
}

/** State from which changes are chosen. */
export interface ThreadTable {
  owner: Person
  /** Everyone who may be in the space. */
  people: readonly Person[]
  rooms: readonly ThreadedRoom[]
  ledger: Ledger
  sights: Sights
  recent: Recent
  dice: Dice
  /** Ids of pinned posts and of closed threads, according to the owner's last requests. */
  pinned: Set<string>
  closed: Set<string>
  /** By forum: the tag that the next change of tags deletes. */
  passingTags: Map<string, string>
  /** The forum that the next exchange deletes. */
  passingForum: string | undefined
  changes: number
}

export type ThreadChangeKind = (table: ThreadTable) => ThreadChange | undefined

interface ThreadTenantParts {
  table: ThreadTable
  kinds: readonly ThreadChangeKind[]
  asker: Asker
  findings: Findings
}

/** Statuses that mean that an earlier try, or the author, has deleted the thread or message. */
const GONE_BEFORE = [404]

/** The threads and forums of a space. The owner changes them one after the other, in parallel to changes of the space. */
export class ThreadTenant {
  readonly #parts: ThreadTenantParts

  constructor(parts: ThreadTenantParts) {
    this.#parts = parts
  }

  get rooms(): readonly ThreadedRoom[] {
    return this.#parts.table.rooms
  }

  get owner(): Person {
    return this.#parts.table.owner
  }

  /** Returns the threads whose deletion or merge was not requested. */
  threads(): Channel[] {
    const { ledger } = this.#parts.table
    return this.rooms.flatMap((room) => ledger.threads.standing(room.id)).map(({ id }) => threadChannel(id))
  }

  /** @returns the name of the change; undefined when there was nothing to change */
  async change(): Promise<string | undefined> {
    const { table, kinds, asker, findings } = this.#parts
    table.changes += 1
    const change = table.dice.pick(kinds)?.(table)
    if (change === undefined) return undefined
    const answer = await asker.askToTake(change.request, GONE_BEFORE)
    if (answer.kind === 'done' && answer.tries === 1) change.note?.(answer.result)
    await asker.settle(answer)
    if (answer.kind === 'done') return change.name
    const { message = '', status = 0, code = '' } = answer.kind === 'refused' ? answer.error : {}
    const violation = answer.kind === 'refused' ? 'refused' : 'stuck'
    const evidence = { rooms: this.rooms.map(({ id }) => id), status, code, message }
    findings.add(violation, `the owner could not: ${change.name}`, evidence)
    return change.name
  }
}
