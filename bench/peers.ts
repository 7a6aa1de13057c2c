// Compares Foyer with other servers under one load, in one table.
import { parseArgs } from 'node:util'
import { median } from './load/latencies.ts'
import { withoutLean } from './load/lean.ts'
import { describeMachine } from './machine.ts'
import { ejabberd, ejabberdWithArchive } from './peers/ejabberd.ts'
import { foyer } from './peers/foyer.ts'
import { inspircd } from './peers/inspircd.ts'
import { keep } from './peers/keep.ts'
import { type Figures, measurePeer, type Outcome, type Size } from './peers/measure.ts'
import { mosquitto } from './peers/mosquitto.ts'
import { nats, natsWithStream } from './peers/nats.ts'
import type { Peer } from './peers/peer.ts'
import { prosody, prosodyWithArchive } from './peers/prosody.ts'
import { type Measurement, writeTable } from './peers/table.ts'

const PEERS: readonly Peer[] = [
  foyer,
  ejabberd,
  ejabberdWithArchive,
  prosody,
  prosodyWithArchive,
  inspircd,
  mosquitto,
  nats,
  natsWithStream,
]

/** Peers of a smoke test. Leaves out peers with an archive, which run the same programs as others in this list. */
const SMOKE_PEERS: readonly Peer[] = [foyer, ejabberd, prosody, inspircd, mosquitto, nats]

const SIZE: Size = {
  senders: 32,
  listeners: 10,
  crowd: 1000,
  first: 1000,
  second: 6000,
  idlesAlone: true,
  warmup: 4,
  seconds: 6,
  settle: 4,
}
const QUICK: Size = { ...SIZE, warmup: 3, seconds: 3, settle: 2 }
const SMOKE: Size = {
  senders: 4,
  listeners: 5,
  crowd: 20,
  first: 10,
  second: 20,
  idlesAlone: false,
  warmup: 0.1,
  seconds: 0.3,
  settle: 0,
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string' },
  },
})
const size = values.smoke ? SMOKE : values.quick ? QUICK : SIZE
const rounds = Number(values.rounds ?? (values.smoke || values.quick ? 1 : 3))
const only = values.only?.split(',')

const wanted = (values.smoke ? SMOKE_PEERS : PEERS).filter(({ name }) => only?.includes(name) ?? true)
const there = wanted.filter(({ isInstalled }) => isInstalled)

if (withoutLean) console.log(`skipped: ${withoutLean}`)
else await compare()

async function compare(): Promise<void> {
  const outcomes = await measureAll(there)
  const measurement = measurementOf(outcomes)
  console.log(writeTable(measurement))
  for (const problem of measurement.problems) console.error(`PROBLEM: ${problem}`)
  if (measurement.problems.length > 0) process.exitCode = 1
  if (values.record && !values.smoke) keep(measurement)
}

/**
 * Measures all peers in each round, so that other work on the machine affects all of them. Returns the outcomes of each peer,
 * in the order of `peers`.
 */
async function measureAll(peers: readonly Peer[]): Promise<Outcome[][]> {
  const outcomes = peers.map((): Outcome[] => [])
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, peer] of peers.entries()) {
      const startedAt = performance.now()
      outcomes[index]?.push(await measurePeer(peer, size))
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      console.error(`round ${round} of ${rounds}: ${peer.name}, ${seconds} s`)
    }
  }
  return outcomes
}

function measurementOf(outcomes: readonly Outcome[][]): Measurement {
  return {
    rows: there.map(({ name, acknowledged, config }, index) => ({
      name,
      acknowledged,
      config,
      figures: mediansOf(outcomes[index] ?? []),
    })),
    missing: wanted.filter(({ isInstalled }) => !isInstalled).map(({ name }) => name),
    unwanted: PEERS.filter((peer) => !wanted.includes(peer)).map(({ name }) => name),
    problems: outcomes.flat().flatMap((outcome) => outcome.problems),
    rounds,
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
  }
}

function mediansOf(outcomes: readonly Outcome[]): Figures {
  const names = new Set(outcomes.flatMap(({ figures }) => Object.keys(figures)))
  const valuesOf = (name: string) =>
    outcomes.map(({ figures }) => figures[name]).filter((value) => value !== undefined)
  return Object.fromEntries([...names].map((name) => [name, median(valuesOf(name))]))
}
