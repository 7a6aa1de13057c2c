import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './audit/findings.ts'
import { auditHearing } from './audit/hearing.ts'
import { auditHistory, auditPages } from './audit/history.ts'
import { readHistory, readStored } from './audit/stored.ts'
import { auditViews } from './audit/views.ts'
import { converge, laggards, marksOf } from './faults/convergence.ts'
import { type FaultRecord, Schedule } from './faults/schedule.ts'
import type { Installation } from './installation/installation.ts'
import { Ear, type Tally } from './listening/ear.ts'
import { countFrames, rawFrames } from './listening/raw-frames.ts'
import { Asker } from './load/ask.ts'
import { Recent } from './load/recent.ts'
import { Sender } from './load/sender.ts'
import { MemoryWatch } from './memory.ts'
import type { Options } from './options.ts'
import { Dice } from './random.ts'
import type { Results } from './report.ts'
import { Ledger } from './world/ledger.ts'
import { freshClient, signUp } from './world/people.ts'
import type { Person } from './world/place.ts'
import { Sights } from './world/sight.ts'
import { buildWorld, type World } from './world/world.ts'

const MAX_CONVERGE_MS = 60_000
/** For what was under way when the load ended. */
const MAX_ANSWER_MS = 60_000
/** Of the time for the load, so that it can end by its count. */
const PACE = 0.8
const CALM_MS = [500, 2500] as const
const CHANGE_EVERY_MS = 1500
const MAX_MEMORY_MIB = 1024

/** One run, from the first account to the audit. */
export class Run {
  readonly #options: Options
  readonly #installation: Installation
  readonly #findings: Findings
  readonly #ledger: Ledger
  readonly #sights = new Sights()
  readonly #asker: Asker
  readonly #tally: Tally = { journaled: 0, deliveries: 0, old: 0, resumes: 0, replayed: 0, readies: 0 }
  readonly #ears = new Map<string, Ear>()
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
    const people = await signUp(this.#installation.url, clients)
    log(`${people.length} people signed up`)
    const parts = {
      people,
      spaces,
      groups,
      seed,
      sights: this.#sights,
      asker: this.#asker,
      findings: this.#findings,
    }
    const world = await buildWorld(parts)
    await this.#listen(people)
    log('everybody listens')
    const from = performance.now()
    await Promise.all([this.#load(world), this.#changeAll(world), this.#breakAll(log)])
    const seconds = (performance.now() - from) / 1000
    log('quiet; the audit begins')
    await this.#calmDown()
    const raw = rawFrames.journaled
    await this.#audit(world)
    memory.stop()
    if (memory.mostMib > MAX_MEMORY_MIB)
      this.#findings.add('stuck', 'a process took too much memory', { mib: memory.mostMib })
    for (const person of people) person.client.gateway.close()
    return this.#results({ seconds, raw, memory: memory.mostMib })
  }

  #dice(name: string): Dice {
    return new Dice(this.#options.seed, name)
  }

  async #listen(people: readonly Person[]): Promise<void> {
    for (const { id, client } of people) {
      const parts = {
        userId: id,
        ledger: this.#ledger,
        sights: this.#sights,
        findings: this.#findings,
        tally: this.#tally,
      }
      this.#ears.set(id, new Ear(client.gateway, parts))
      client.gateway.connect()
    }
    const took = await converge([...this.#ears.values()], new Map(), MAX_CONVERGE_MS)
    if (took === undefined) throw new Error('not everybody could connect')
  }

  /** Everybody talks until enough was acknowledged, or the time is over. */
  async #load({ people, places, cast }: World): Promise<void> {
    const { sends, minutes } = this.#options
    const until = performance.now() + minutes * 60_000
    const meanPauseMs = (people.length * minutes * 60_000 * PACE) / sends
    const recent = new Recent()
    const isDone = () => this.#ledger.acked >= sends || performance.now() > until || this.#isOver
    const talk = async (person: Person) => {
      const channels = places
        .filter(({ id }) => cast.get(id)?.includes(person))
        .flatMap((place) => place.channels)
      const dice = this.#dice(`sender ${person.name}`)
      const parts = {
        person,
        channels,
        recent,
        dice,
        ledger: this.#ledger,
        sights: this.#sights,
        asker: this.#asker,
        findings: this.#findings,
      }
      const sender = new Sender(parts)
      while (!isDone()) {
        await sleep(-Math.log(1 - dice.next()) * meanPauseMs)
        if (!isDone()) await sender.act()
      }
    }
    const talking = Promise.all(people.map(talk))
    while (!isDone()) await sleep(50)
    this.#isOver = true
    this.#asker.end(MAX_ANSWER_MS)
    await talking
  }

  async #changeAll({ places }: World): Promise<void> {
    const change = async (place: World['places'][number]) => {
      const dice = this.#dice(`changes of ${place.id}`)
      while (!this.#isOver) {
        await sleep(dice.between(0.2, 1.8) * CHANGE_EVERY_MS)
        const name = this.#isOver ? undefined : await place.change()
        if (name !== undefined) this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1)
      }
    }
    await Promise.all(places.map(change))
  }

  /** One fault after the other, each when all have got over the one before. */
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
      log(`${name} lasted ${Math.round(lastedMs)} ms, all heard all ${Math.round(convergedMs)} ms later`)
    }
  }

  async #converge(when: string): Promise<number> {
    const marks = marksOf(this.#ledger)
    const ears = [...this.#ears.values()]
    const took = await converge(ears, marks, MAX_CONVERGE_MS)
    if (took !== undefined) return took
    const late = laggards(ears, marks).map(({ userId, isReady, channels }) => {
      const behind = [...channels].filter(([id, { last }]) => last < (marks.get(id) ?? 0))
      return {
        userId,
        isReady,
        behind: behind.map(([id, { last, base }]) => ({ id, last, base, mark: marks.get(id) })),
      }
    })
    this.#findings.add('stuck', `not everybody had heard everything ${when}`, {
      late: late.slice(0, 5),
      count: late.length,
    })
    return MAX_CONVERGE_MS
  }

  async #calmDown(): Promise<void> {
    await this.#converge('in the end')
    // State events have no number that would tell that all are there.
    await sleep(3000)
  }

  async #audit({ people, places }: World): Promise<void> {
    const { postgres, url } = this.#installation
    const stored = await readStored(postgres.connection)
    auditHistory(this.#ledger, stored, this.#findings)
    for (const { owner, channels } of places) {
      // The clients of the load try once. A page that comes late is not lost.
      const client = freshClient(url, owner)
      for (const channel of channels)
        auditPages(channel.id, await readHistory(client, channel), stored, this.#findings)
    }
    auditHearing([...this.#ears.values()], {
      ledger: this.#ledger,
      sights: this.#sights,
      stored,
      findings: this.#findings,
    })
    await auditViews(url, people, this.#ears, this.#findings)
  }

  #results({ seconds, raw, memory }: { seconds: number; raw: number; memory: number }): Results {
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
      changes_of_spaces_and_groups: [...this.#changes.values()].reduce((sum, count) => sum + count, 0),
      message_deliveries: deliveries,
      all_deliveries: journaled,
      deliveries_that_were_repeats: raw - journaled,
      messages_of_before: old,
      resumes,
      replayed,
      identified_anew: readies - this.#ears.size,
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
