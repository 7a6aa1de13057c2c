import type { Dice } from '../random.ts'
import type { Entry } from '../world/ledger.ts'
import type { Channel } from '../world/tenant.ts'

interface Found {
  entry: Entry
  channel: Channel
}

const KEPT = 20

/** The last messages of each channel and each author, to be edited, deleted and reacted to. */
export class Recent {
  readonly #byChannel = new Map<string, Entry[]>()
  readonly #byAuthor = new Map<string, Found[]>()

  add(channel: Channel, entry: Entry): void {
    const entries = this.#byChannel.get(channel.id) ?? []
    this.#byChannel.set(channel.id, entries)
    keepLast(entries, entry)
    const own = this.#byAuthor.get(entry.authorId) ?? []
    this.#byAuthor.set(entry.authorId, own)
    keepLast(own, { entry, channel })
  }

  /** Picks a message whose deletion was not requested. */
  pickIn(channel: Channel, dice: Dice): Entry | undefined {
    const there = this.#byChannel.get(channel.id) ?? []
    return dice.pick(there.filter(({ deletion }) => deletion === undefined))
  }

  pickOf(authorId: string, dice: Dice): Found | undefined {
    return dice.pick(this.#byAuthor.get(authorId) ?? [])
  }

  /** Removes the picked message from the list. */
  takeOf(authorId: string, dice: Dice): Found | undefined {
    const own = this.#byAuthor.get(authorId) ?? []
    const found = dice.pick(own)
    if (found !== undefined) own.splice(own.indexOf(found), 1)
    return found
  }
}

function keepLast<Item>(items: Item[], item: Item): void {
  items.push(item)
  if (items.length > KEPT) items.shift()
}
