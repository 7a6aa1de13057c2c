import { LRUCache } from 'lru-cache'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listShownNames } from './queries.ts'

/** Maximum cached names: about the number of people who write in a large space around the same time. */
const KEPT_NAMES = 10_000
/** Name for users whose row was deleted, and for webhooks without a name. */
export const NOBODY = 'unknown'

const MENTION = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/g

/** The names of users as a space shows them. */
export class ShownNames {
  readonly #database: Queryable
  readonly #spaceId: string
  readonly #known = new LRUCache<string, string>({ max: KEPT_NAMES })

  constructor(database: Queryable, spaceId: string) {
    this.#database = database
    this.#spaceId = spaceId
  }

  /** Returns the names of these users, and of all users whom the texts mention. */
  async of(userIds: readonly string[], texts: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const mentioned = texts.flatMap((text) => Array.from(text.matchAll(MENTION), ([, id = '']) => id))
    const ids = [...new Set([...userIds, ...mentioned])]
    const unknown = ids.filter((id) => !this.#known.has(id))
    if (unknown.length > 0) await this.#load(unknown)
    return new Map(ids.map((id) => [id, this.#known.get(id) ?? NOBODY]))
  }

  async #load(ids: readonly string[]): Promise<void> {
    for (const { id, name } of await listShownNames(this.#database, this.#spaceId, ids))
      this.#known.set(id, name)
  }
}

/** Replaces mentions of people by names, which are readable without this server. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MENTION, (_mention, id: string) => `@${names.get(id) ?? NOBODY}`)
}
