import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import pg from 'pg'
import type { Findings } from '../audit/findings.ts'
import type { Dice } from '../random.ts'
import type { Announcing, Follow } from '../world/announcing.ts'
import type { Asker } from './ask.ts'
import type { Sender } from './sender.ts'

const MEAN_PAUSE_MS = 400
/** Share of the steps that end a follow and create it again. */
const FOLLOW_SHARE = 0.03
/** Statuses that mean that an earlier try has deleted the webhook. */
const GONE_BEFORE = [404]

interface AnnouncerParts {
  announcing: Announcing
  /** Writes in the announcement rooms. */
  sender: Sender
  asker: Asker
  findings: Findings
  dice: Dice
  /** Returns the connection options of PostgreSQL, which may be unreachable. */
  connection: () => pg.ClientConfig
}

/** Writes in announcement rooms, and ends and recreates follows of these rooms. */
export class Announcer {
  readonly #parts: AnnouncerParts

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  async run(isDone: () => boolean): Promise<void> {
    const { dice, sender } = this.#parts
    while (!isDone()) {
      await sleep(-Math.log(1 - dice.next()) * MEAN_PAUSE_MS)
      if (isDone()) return
      await (dice.chance(FOLLOW_SHARE) ? this.#followAgain() : sender.act())
      await passTurns(this.#parts.connection())
    }
  }

  async #followAgain(): Promise<void> {
    const { announcing, asker, dice } = this.#parts
    const follow = dice.pick(announcing.follows)
    if (follow === undefined) return
    announcing.follows = announcing.follows.filter((each) => each !== follow)
    const { client } = follow.person
    const ended = await asker.askToTake(() => client.webhooks.delete(follow.webhookId), GONE_BEFORE)
    await asker.settle(ended)
    if (ended.kind !== 'done') return this.#complain('end a follow', ended)
    await this.#begin(follow)
  }

  async #begin({ person, source, targetId }: Follow): Promise<void> {
    const { announcing, asker } = this.#parts
    const askedAt = performance.now()
    const begun = await asker.ask(() => beginOnce(person, source.id, targetId))
    await asker.settle(begun)
    if (begun.kind !== 'done') return this.#complain('follow a room', begun)
    const answeredAt = performance.now()
    announcing.follows.push({ person, webhookId: begun.result, source, targetId, askedAt, answeredAt })
  }

  #complain(what: string, answer: { kind: 'refused' | 'unclear'; error: unknown }): void {
    const violation = answer.kind === 'refused' ? 'refused' : 'stuck'
    this.#parts.findings.add(violation, `somebody could not ${what}`, { error: String(answer.error) })
  }
}

/** Follows the room, unless an earlier try has done so. @returns the webhook's id */
async function beginOnce({ client }: Follow['person'], sourceId: string, targetId: string): Promise<string> {
  try {
    return (await client.rooms.follow(sourceId, targetId)).id
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'already_followed') throw error
    const webhooks = await client.webhooks.listOfRoom(targetId)
    const known = webhooks.find(({ source }) => source?.room_id === sourceId)
    if (known === undefined) throw error
    return known.id
  }
}

/** Lifts the limit of 30 copied messages in ten minutes, so that a run need not wait. Ignores an unreachable PostgreSQL. */
export async function passTurns(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1000 })
  // A lost connection also emits `error`, which ends the process if nothing listens.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query("update followed_rooms set copied_at = '{}' where cardinality(copied_at) >= 30")
    await client.query(
      "update announcement_changes set due_at = now() where due_at > now() + interval '30 seconds' and attempts = 0",
    )
  } catch {
    // The next call tries again.
  } finally {
    await client.end().catch(() => undefined)
  }
}
