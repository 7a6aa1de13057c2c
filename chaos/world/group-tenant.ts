import type { Findings } from '../audit/findings.ts'
import type { Asker } from '../load/ask.ts'
import type { Dice } from '../random.ts'
import type { Sights } from './sight.ts'
import type { Channel, Person, Tenant } from './tenant.ts'

/** Members besides the owner. A group may have ten in total. */
const MOST_MEMBERS = 9
const FEWEST_MEMBERS = 3

export interface GroupParts {
  channel: Channel
  owner: Person
  /** People who may be in the group. */
  people: readonly Person[]
  /** Current members, without the owner. */
  members: Set<string>
  dice: Dice
  sights: Sights
  asker: Asker
  findings: Findings
}

/** A group whose owner adds and removes people, who also leave. */
export class GroupTenant implements Tenant {
  readonly channels: readonly Channel[]
  readonly #parts: GroupParts

  constructor(parts: GroupParts) {
    this.channels = [parts.channel]
    this.#parts = parts
  }

  get id(): string {
    return this.#parts.channel.id
  }

  get owner(): Person {
    return this.#parts.owner
  }

  async change(): Promise<string | undefined> {
    const { members, people, dice } = this.#parts
    const inside = people.filter(({ id }) => members.has(id))
    const outside = people.filter(({ id }) => !members.has(id))
    const grows = members.size < FEWEST_MEMBERS || (members.size < MOST_MEMBERS && dice.chance(0.5))
    const person = dice.pick(grows ? outside : inside)
    if (person === undefined) return undefined
    return grows ? this.#add(person) : this.#remove(person, dice.chance(0.5))
  }

  async #add(person: Person): Promise<string> {
    const { owner } = this.#parts
    await this.#make(person, true, () => owner.client.conversations.addMember(this.id, person.id))
    return 'add to a group'
  }

  async #remove(person: Person, byThemselves: boolean): Promise<string> {
    const { client } = byThemselves ? person : this.#parts.owner
    await this.#make(person, false, () => client.conversations.removeMember(this.id, person.id))
    return byThemselves ? 'leave a group' : 'remove from a group'
  }

  async #make({ id }: Person, isIn: boolean, request: () => Promise<void>): Promise<void> {
    const { sights, asker, members, findings } = this.#parts
    sights.set(id, this.id, 'either')
    const answer = isIn ? await asker.ask(request) : await asker.askToTake(request, [404])
    await asker.settle(answer)
    if (answer.kind === 'done') {
      sights.set(id, this.id, isIn ? 'yes' : 'no')
      if (isIn) members.add(id)
      else members.delete(id)
      return
    }
    const evidence = { conversationId: this.id, userId: id, isIn, error: String(answer.error) }
    const violation = answer.kind === 'refused' ? 'refused' : 'stuck'
    findings.add(violation, 'somebody could not be added to a group, or removed', evidence)
  }
}
