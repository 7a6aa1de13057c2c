import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { type CheckDeps, findCaught } from './checking.ts'
import { type Caught, hitOf } from './hits.ts'
import { findRulesVersion, listInviteCodes, listRules } from './queries.ts'
import { type CheckedRule, compileRules, type SpaceRules } from './rules.ts'
import { TestHits } from './test-hits.ts'
import type { Written } from './written.ts'

interface Deps extends CheckDeps {
  database: Database
  bus: Bus
  /** The address of this server. */
  origin: string | undefined
  log: Pick<Logger, 'warn'>
}

/** Facts about the server and the space, for the matcher. */
interface Own {
  origin?: string
  codes?: ReadonlySet<string>
}

type OwnRules = SpaceRules & { readonly own: Own; readonly version: string }

const CHANGING_INVITES: readonly string[] = ['SPACE_INVITE_CREATE', 'SPACE_INVITE_DELETE']
const CACHED_SPACES = 10_000
/** Maximum hits of one rule by one writer that are recorded per minute. Each hit writes rows, and may post an alert. */
const REPORTS_A_MINUTE = 5
/** Maximum patterns of all cached rules together. A pattern takes about 100 bytes. */
const CACHED_PATTERNS = 1_000_000

/** Checks texts by the AutoMod rules of their space. Each process caches rules; an event drops them. */
export class Screening {
  readonly #deps: Deps
  readonly #rules: Cache<OwnRules>
  /** Recently compiled rules by space. They are reused if no rule has changed. */
  readonly #compiled: LRUCache<string, OwnRules>
  readonly #codes: Cache<ReadonlySet<string>>
  readonly #testHits: TestHits
  /** Rules are compiled one space at a time: several together would block the event loop for longer. */
  #compiling: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    const bound = { maxWeight: CACHED_PATTERNS, weigh: weighOf }
    this.#rules = new Cache(bound, deps.bus.freshness, (spaceId) => this.#load(spaceId))
    this.#compiled = new LRUCache<string, OwnRules>({ maxSize: CACHED_PATTERNS, sizeCalculation: weighOf })
    this.#codes = new Cache(CACHED_SPACES, deps.bus.freshness, async (spaceId) => {
      const codes: ReadonlySet<string> = new Set(await listInviteCodes(deps.database, spaceId))
      return codes
    })
    this.#testHits = new TestHits(deps)
  }

  receive(events: readonly Event[]): void {
    for (const { name, topic } of events) {
      if (name === 'AUTOMOD_RULES_UPDATE') this.#rules.drop(topic.tenantId)
      if (CHANGING_INVITES.includes(name)) this.#codes.drop(topic.tenantId)
    }
  }

  /** Writes pending hits of rules in test mode, when the process stops. */
  close(): Promise<void> {
    return this.#testHits.close()
  }

  /** Returns whether the space has any active rules. */
  async hasRules(spaceId: string): Promise<boolean> {
    return (await this.#rules.get(spaceId)).rules.length > 0
  }

  /** Returns true if the space counts repeated texts, so that a retry must be distinguished from a repeat. */
  async countsRepeats(spaceId: string): Promise<boolean> {
    return (await this.#rules.get(spaceId)).rules.some(({ trigger }) => trigger.type === 'repeats')
  }

  /** Returns false if this rule's hits by the writer were recorded too often in this minute. */
  async mayReport({ written, caught }: { written: Written; caught: Caught }): Promise<boolean> {
    const name = `automod report ${caught.rule.id}`
    const counter = { subject: written.writer.id, name, limit: REPORTS_A_MINUTE, windowMs: 60_000 }
    const decision = await this.#deps.counters.take([counter], Date.now())
    return decision?.allowed ?? true
  }

  /**
   * Finds the rule that stops a text: the first that refuses it, otherwise the first that holds it. Records the hits of
   * rules in test mode.
   */
  async find(written: Written): Promise<Caught | undefined> {
    const rules = await this.#rules.get(written.spaceId)
    if (rules.rules.length === 0) return undefined
    await this.#findCodes(written.spaceId, rules)
    const caught = await findCaught(this.#deps, rules, written, Date.now())
    const tested = caught.filter(({ rule }) => rule.mode === 'test')
    if (tested.length > 0) this.#testHits.note(tested.map((each) => hitOf(written, each)))
    const stopping = caught.filter(({ rule }) => rule.mode === 'on')
    return stopping.find(({ rule }) => rule.action === 'refuse') ?? stopping[0]
  }

  /** Compiles rules that are not saved, in the same way as the saved rules of the space. */
  async compile<Rule extends CheckedRule>(
    spaceId: string,
    rules: readonly Rule[],
  ): Promise<SpaceRules<Rule>> {
    const own = this.#ownServer()
    const compiled = await this.#inTurn(() => compileRules(rules, own))
    await this.#findCodes(spaceId, { ...compiled, own })
    return compiled
  }

  /** Loads and compiles the rules. The version is read first, so that it is never newer than the rules. */
  async #load(spaceId: string): Promise<OwnRules> {
    const { database } = this.#deps
    const version = await findRulesVersion(database, spaceId)
    const known = this.#compiled.get(spaceId)
    if (known?.version === version) return known
    const own = this.#ownServer()
    const compiled = await this.#inTurn(async () => compileRules(await listRules(database, spaceId), own))
    const loaded = { ...compiled, own, version }
    this.#compiled.set(spaceId, loaded)
    return loaded
  }

  #ownServer(): Own {
    const { origin } = this.#deps
    return origin === undefined ? {} : { origin }
  }

  async #findCodes(spaceId: string, { needsCodes, own }: { needsCodes: boolean; own: Own }): Promise<void> {
    if (needsCodes) own.codes = await this.#codes.get(spaceId)
  }

  #inTurn<Result>(compile: () => Promise<Result>): Promise<Result> {
    const compiling = this.#compiling.then(compile, compile)
    this.#compiling = compiling.catch(() => undefined)
    return compiling
  }
}

/** Returns the size of rules in patterns. Hashes and exemptions are kept as texts, so they count as well. */
function weighOf({ rules, matcher }: SpaceRules): number {
  const texts = rules.map(({ trigger, exempt_role_ids, exempt_room_ids }) => {
    return (trigger.sha256?.length ?? 0) + exempt_role_ids.length + exempt_room_ids.length
  })
  return texts.reduce((sum, count) => sum + count, matcher.weight)
}
