import type { Findings } from '../audit/findings.ts'
import type { Asker } from '../load/ask.ts'
import type { Dice } from '../random.ts'
import { EVERYONE, type Restrictions } from './restrictions.ts'
import type { Sights } from './sight.ts'
import { copyOf, differences, type SpaceModel, sees } from './space-model.ts'
import type { Channel, Person, Tenant } from './tenant.ts'

/** A change of a space: its request, and its effect on the model. */
export interface SpaceChange {
  name: string
  request: () => Promise<unknown>
  /** Undefined for changes without an effect on access. */
  apply?: (model: SpaceModel) => void
  /** Statuses that mean "nothing to remove". */
  doneBefore?: readonly number[]
}

/** A fact about a user in a room, such as access, that a change makes true or false. */
interface Mark {
  sights: Sights
  userId: string
  roomId: string
  isSo: boolean
}

/** State from which changes are chosen. */
export interface SpaceTable {
  model: SpaceModel
  owner: Person
  people: ReadonlyMap<string, Person>
  invite: string
  /** The role that opens the restricted room. */
  gateRoleId: string
  /** The rule against the forbidden word. */
  ruleId: string
  dice: Dice
  changes: number
}

export type SpaceChangeKind = (table: SpaceTable) => SpaceChange | undefined

export interface SpacePlaceParts {
  table: SpaceTable
  channels: readonly Channel[]
  kinds: readonly SpaceChangeKind[]
  sights: Sights
  restrictions: Restrictions
  asker: Asker
  findings: Findings
}

/** A space whose owner hides and shows rooms, and whose members join and leave. */
export class SpaceTenant implements Tenant {
  readonly channels: readonly Channel[]
  readonly #parts: SpacePlaceParts

  constructor(parts: SpacePlaceParts) {
    this.channels = parts.channels
    this.#parts = parts
  }

  get id(): string {
    return this.#parts.table.model.id
  }

  get owner(): Person {
    return this.#parts.table.owner
  }

  /** Records the access of all members before the first change. */
  noteSights(): void {
    const { table, sights } = this.#parts
    for (const userId of table.people.keys())
      for (const roomId of table.model.rooms)
        sights.set(userId, roomId, sees(table.model, userId, roomId) ? 'yes' : 'no')
  }

  async change(): Promise<string | undefined> {
    const { table, kinds } = this.#parts
    table.changes += 1
    const change = table.dice.pick(kinds)?.(table)
    if (change === undefined) return undefined
    await this.#make(change)
    return change.name
  }

  async #make({ name, request, apply = () => undefined, doneBefore = [] }: SpaceChange): Promise<void> {
    const { table, asker, findings } = this.#parts
    const after = copyOf(table.model)
    apply(after)
    const marks = this.#marksOf(table.model, after)
    for (const { sights, userId, roomId } of marks) sights.set(userId, roomId, 'either')
    const answer = await asker.askToTake(request, doneBefore)
    await asker.settle(answer)
    if (answer.kind === 'done') {
      table.model = after
      for (const { sights, userId, roomId, isSo } of marks) sights.set(userId, roomId, isSo ? 'yes' : 'no')
      return
    }
    const { message = '', status = 0, code = '' } = answer.kind === 'refused' ? answer.error : {}
    const violation = answer.kind === 'refused' ? 'refused' : 'stuck'
    findings.add(violation, `the owner could not: ${name}`, { spaceId: this.id, status, code, message })
  }

  #marksOf(before: SpaceModel, after: SpaceModel): Mark[] {
    const { sights, restrictions } = this.#parts
    const inRooms = (mark: Omit<Mark, 'roomId'>) => before.rooms.map((roomId) => ({ ...mark, roomId }))
    const seen = differences(before, after).map(({ sees: isSo, ...at }) => ({ sights, isSo, ...at }))
    const timedOut = [...before.timedOut.symmetricDifference(after.timedOut)].flatMap((userId) =>
      inRooms({ sights: restrictions.timeouts, userId, isSo: after.timedOut.has(userId) }),
    )
    const isRuleChanged = before.forbids !== after.forbids
    const rule = { sights: restrictions.rules, userId: EVERYONE, isSo: after.forbids }
    return [...seen, ...timedOut, ...(isRuleChanged ? inRooms(rule) : [])]
  }
}
