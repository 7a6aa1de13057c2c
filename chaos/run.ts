import { setTimeout as sleep } from 'node:timers/promises'
import { auditAll, type Observed } from './audit/all.ts'
import type { Findings } from './audit/findings.ts'
import { converge, laggards, marksOf } from './faults/convergence.ts'
import { finishJobs } from './faults/jobs.ts'
import { type FaultRecord, Schedule } from './faults/schedule.ts'
import type { Installation } from './installation/installation.ts'
import { countFrames, rawFrames } from './listening/raw-frames.ts'
import { Recorder, type Tally } from './listening/recorder.ts'
import { Announcer } from './load/announcer.ts'
import { Asker } from './load/ask.ts'
import { Recent } from './load/recent.ts'
import { Rights } from './load/rights.ts'
import { Sender } from './load/sender.ts'
import { ThreadActor } from './load/thread-actor.ts'
import { MemoryWatch } from './memory.ts'
import type { Options } from './options.ts'
import { Dice } from './random.ts'
import type { Results } from './report.ts'
import { type Announcing, openAnnouncing } from './world/announcing.ts'
import { type Entry, Ledger } from './world/ledger.ts'
import { signUp } from './world/people.ts'
import { Restrictions } from './world/restrictions.ts'
import { Sights } from './world/sight.ts'
import type { Person, Tenant } from './world/tenant.ts'
import { buildWorld, type World } from './world/world.ts'

const MAX_CONVERGE_MS = 60_000
/** Limit for requests in flight when the load ends. */
const MAX_ANSWER_MS = 60_000
/** Share of the time limit in which all messages should be sent: usually the message count ends the load, not the time. */
const PACE = 0.8
const CALM_MS = [500, 2500] as const
const CHANGE_EVERY_MS = 1500
/** Shorter than the interval for spaces, because changes of threads remove nobody's access. */
const THREAD_CHANGE_EVERY_MS = 500
/** Share of the steps in threads. */
const THREAD_SHARE = 0.25
const MAX_MEMORY_MIB = 1024

/** Results that are not counted by the other parts. */
interface Measured {
  seconds: number
  /** Deliveries, including repeated ones. */
  raw: number
  /** Peak memory of the largest process, in MiB. */
  memory: number
  copies: number
}

/** One run, from the first account to the audit. */
export class Run {
  readonly #options: Options
  readonly #installation: Installation
  readonly #findings: Findings
  readonly #ledger: Ledger
  readonly #sights = new Sights()
  readonly #restrictions = new Restrictions()
  readonly #recent = new Recent()
  readonly #asker: Asker
  readonly #tally: Tally = { journaled: 0, deliveries: 0, old: 0, resumes: 0, replayed: 0, readies: 0 }
  readonly #recorders = new Map<string, Recorder>()
  readonly #faults: FaultRecord[] = []
  readonly #changes = new Map<string, number>()
  #isOver = false

  constructor(options: Options, installation: Installation, findings: Findings) {
    this.#options = options
    this.#installation = installation
    this.#findings = findings
    this.#ledger = new Ledger(findings)
    this.#asker = new Asker(this.#dice('asking'))
  }

  async go(log: (line: string) => void): Promise<Results> {
    const memory = new MemoryWatch(this.#installation.processes)
    countFrames()
    const { clients, spaces, groups, seed } = this.#options
    const everyone = await signUp(this.#installation.url, clients + 2)
    const [people, [author, reader]] = [everyone.slice(0, clients), everyone.slice(clients)]
    if (author === undefined || reader === undefined) throw new Error('there is nobody to announce')
    log(`${people.length} people signed up`)
    const parts = {
      people,
      spaces,
      groups,
      seed,
      sights: this.#sights,
      restrictions: this.#restrictions,
      ledger: this.#ledger,
      recent: this.#recent,
      asker: this.#asker,
      findings: this.#findings,
    }
    const world = await buildWorld(parts)
    const announcing = await openAnnouncing(author, reader, this.#sights)
    await this.#listen(people)
    log('all clients are connected')
    const from = performance.now()
    const announcer = this.#announcerOf(announcing)
    const load = Promise.all([this.#load(world), announcer.run(() => this.#isOver)])
    await Promise.all([load, this.#changeAll(world), this.#breakAll(log)])
    const seconds = (performance.now() - from) / 1000
    log('load ended, auditing')
    await this.#calmDown()
    const raw = rawFrames.journaled
    const copies = await auditAll(this.#installation, { ...world, announcing }, this.#observed())
    memory.stop()
    if (memory.mostMib > MAX_MEMORY_MIB)
      this.#findings.add('stuck', 'a process took too much memory', { mib: memory.mostMib })
    for (const person of people) person.client.gateway.close()
    return this.#results({ seconds, raw, memory: memory.mostMib, copies })
  }

  #dice(name: string): Dice {
    return new Dice(this.#options.seed, name)
  }

  async #listen(people: readonly Person[]): Promise<void> {
    for (const { id, client, capabilities } of people) {
      const parts = {
        userId: id,
        capabilities,
        ledger: this.#ledger,
        sights: this.#sights,
        findings: this.#findings,
        tally: this.#tally,
      }
      this.#recorders.set(id, new Recorder(client.gateway, parts))
      client.gateway.connect()
    }
    const took = await converge([...this.#recorders.values()], new Map(), MAX_CONVERGE_MS)
    if (took === undefined) throw new Error('some clients could not connect')
  }

  /** Sends from all accounts until enough messages are acknowledged, or the time is over. */
  async #load(world: World): Promise<void> {
    const { people } = world
    const { sends, minutes } = this.#options
    const until = performance.now() + minutes * 60_000
    const meanPauseMs = (people.length * minutes * 60_000 * PACE) / sends
    const isDone = () => this.#ledger.acked >= sends || performance.now() > until || this.#isOver
    const talk = async (person: Person) => {
      const dice = this.#dice(`sender ${person.name}`)
      const { sender, actor } = this.#actorsOf(person, world, dice)
      while (!isDone()) {
        await sleep(-Math.log(1 - dice.next()) * meanPauseMs)
        if (!isDone()) await (dice.chance(THREAD_SHARE) ? actor : sender).act()
      }
    }
    const talking = Promise.all(people.map(talk))
    while (!isDone()) await sleep(50)
    this.#isOver = true
    this.#asker.end(MAX_ANSWER_MS)
    await talking
  }

  #actorsOf(person: Person, { tenants, cast, threads }: World, dice: Dice) {
    const entered = tenants.filter(({ id }) => cast.get(id)?.includes(person))
    const channels = entered.flatMap((tenant) => tenant.channels)
    const roomsOf = ({ id }: { id: string }) => threads.get(id)?.rooms ?? []
    const owned = entered.filter(({ owner }) => owner === person)
    const own = owned.flatMap((tenant) => [...tenant.channels, ...roomsOf(tenant)])
    const parts = this.#partsOf(person, own, dice)
    const actor = new ThreadActor({ ...parts, rooms: entered.flatMap(roomsOf) })
    return { sender: new Sender({ ...parts, channels }), actor }
  }

  #partsOf(person: Person, own: readonly { id: string }[], dice: Dice) {
    const [sights, restrictions] = [this.#sights, this.#restrictions]
    const owned = new Set(own.map(({ id }) => id))
    return {
      person,
      rights: new Rights({ userId: person.id, sights, restrictions, own: owned }),
      recent: this.#recent,
      dice,
      ledger: this.#ledger,
      sights,
      asker: this.#asker,
      findings: this.#findings,
    }
  }

  #announcerOf(announcing: Announcing): Announcer {
    const { author, rooms } = announcing
    const dice = this.#dice('announcer')
    const parts = this.#partsOf(author, rooms, dice)
    const sender = new Sender({ ...parts, channels: rooms })
    return new Announcer({
      ...parts,
      announcing,
      sender,
      connection: () => this.#installation.postgres.connection,
    })
  }

  async #changeAll({ tenants, threads }: World): Promise<void> {
    const ofSpaces = tenants.map((tenant) => this.#change(tenant, `changes of ${tenant.id}`, CHANGE_EVERY_MS))
    const ofThreads = [...threads].map(([id, tenant]) =>
      this.#change(tenant, `threads of ${id}`, THREAD_CHANGE_EVERY_MS),
    )
    await Promise.all([...ofSpaces, ...ofThreads])
  }

  async #change(tenant: Pick<Tenant, 'change'>, name: string, everyMs: number): Promise<void> {
    const dice = this.#dice(name)
    while (!this.#isOver) {
      await sleep(dice.between(0.2, 1.8) * everyMs)
      const change = this.#isOver ? undefined : await tenant.change()
      if (change !== undefined) this.#changes.set(change, (this.#changes.get(change) ?? 0) + 1)
    }
  }

  /** Causes one fault after the other. Waits after each until all clients have recovered. */
  async #breakAll(log: (line: string) => void): Promise<void> {
    const dice = this.#dice('faults')
    const table = { installation: this.#installation, dice, findings: this.#findings }
    const schedule = new Schedule(table, this.#options)
    while (!this.#isOver) {
      await sleep(dice.between(...CALM_MS))
      const at = performance.now()
      const name = await schedule.next()
      const lastedMs = performance.now() - at
      const convergedMs = await this.#converge(`after ${name}`)
      this.#faults.push({ name, at, lastedMs, convergedMs })
      log(`${name} lasted ${Math.round(lastedMs)} ms, clients caught up ${Math.round(convergedMs)} ms later`)
    }
  }

  async #converge(when: string): Promise<number> {
    const marks = marksOf(this.#ledger)
    const recorders = [...this.#recorders.values()]
    const took = await converge(recorders, marks, MAX_CONVERGE_MS)
    if (took !== undefined) return took
    const late = laggards(recorders, marks).map(({ userId, isReady, channels }) => {
      const behind = [...channels].filter(([id, { last }]) => last < (marks.get(id) ?? 0))
      return {
        userId,
        isReady,
        behind: behind.map(([id, { last, base }]) => ({ id, last, base, mark: marks.get(id) })),
      }
    })
    this.#findings.add('stuck', `some clients did not catch up ${when}`, {
      late: late.slice(0, 5),
      count: late.length,
    })
    return MAX_CONVERGE_MS
  }

  async #calmDown(): Promise<void> {
    await this.#converge('in the end')
    if (!(await finishJobs(this.#installation.postgres.connection)))
      this.#findings.add('stuck', 'jobs of threads were not done', {})
    // Waits, because state events have no number that would show a missing one.
    await sleep(3000)
  }

  #observed(): Observed {
    const [ledger, sights, recorders] = [this.#ledger, this.#sights, this.#recorders]
    return { ledger, sights, recorders, findings: this.#findings }
  }

  #results({ seconds, raw, memory, copies }: Measured): Results {
    const { entries, acked } = this.#ledger
    const { deliveries, journaled, resumes, replayed, readies, old } = this.#tally
    const figures = {
      seconds,
      processes: this.#options.processes,
      clients: this.#options.clients,
      sent: entries.length,
      acknowledged: acked,
      acknowledged_per_second: acked / seconds,
      refused: entries.filter(({ outcome }) => outcome === 'refused').length,
      threads_and_posts: this.#ledger.threads.count,
      acknowledged_in_threads: entries.filter(isInThread).length,
      copies_of_announcements: copies,
      changes_of_spaces_and_groups: [...this.#changes.values()].reduce((sum, count) => sum + count, 0),
      message_deliveries: deliveries,
      all_deliveries: journaled,
      deliveries_that_were_repeats: raw - journaled,
      messages_of_before: old,
      resumes,
      replayed,
      identified_anew: readies - this.#recorders.size,
      faults: this.#faults.length,
      most_memory_of_a_process_mib: memory,
    }
    return {
      figures,
      findings: this.#findings,
      unclear: this.#asker.unclear,
      refusals: this.#asker.refusals,
      faults: this.#faults,
    }
  }
}

function isInThread({ channelId, roomId, outcome }: Entry): boolean {
  return channelId !== roomId && outcome === 'acknowledged'
}
