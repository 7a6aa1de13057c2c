import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Random } from '#test/fuzz/random.ts'
import { WebCache } from '#test/model/web-cache.ts'
import { allow, changeWeb, openAll } from '#test/model/web-changes.ts'
import {
  compareAnswer,
  compareGone,
  compareIds,
  type Expectation,
  expectationsOf,
  seen,
} from '#test/model/web-expectations.ts'
import { makeWebScene, type WebScene } from '#test/model/web-scene.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

/** Changes, after each of which all pages of a space are compared with the rule. */
const STATES = Number(process.env.WEB_PAGE_STATES ?? 200)
const SEED = Number(process.env.WEB_PAGE_SEED ?? 26)
/** Spaces that change at the same time. */
const SPACES = 4
/** States of each space between two changes of the operators' rule. */
const STRETCH = 25
const STRETCH_WHILE_OFF = 1
/** Time within which a change is on all processes. */
const PATIENCE_MS = 1000

let processes: Processes
let cache: WebCache
const reading = new Random(SEED)
before(async () => {
  if (withoutValkey === false) processes = await startProcesses()
  cache = new WebCache()
})
after(async () => {
  cache.close()
  await processes?.close()
})

/** Reads from any process. How often that is repeated depends on time, so it has random numbers of its own. */
async function readSomewhere({ servers }: WebScene, path: string) {
  return cache.read(reading.pick(servers).url, path, reading.below(4) === 0)
}

/** Compares all pages of the space with the rule. */
async function compareSpace(scene: WebScene): Promise<void> {
  for (const expectation of expectationsOf(scene)) await compareAddress(scene, expectation)
  if (scene.gone.length === 0) return
  const path = reading.pick(scene.gone)
  await within(scene, path, async () => compareGone(await readSomewhere(scene, path)))
}

async function compareAddress(scene: WebScene, expectation: Expectation): Promise<void> {
  await within(scene, expectation.path, async () => {
    const answer = await readSomewhere(scene, expectation.path)
    compareAnswer(expectation, answer)
    compareIds(scene, answer.text)
  })
}

/** Repeats a check that other processes may pass a moment later. */
async function within({ changes }: WebScene, path: string, check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  let failure: unknown = await check().catch(asValue)
  while (failure !== undefined && Date.now() < deadline) failure = await check().catch(asValue)
  if (failure !== undefined) throw new Error(`${path} after ${changes.join(', ')}`, { cause: failure })
}

function asValue(error: unknown): unknown {
  return error ?? new Error('failed')
}

async function makeScenes(): Promise<WebScene[]> {
  const { servers } = processes
  const operator = await createOperator(servers[0], 'operator')
  const indexes = Array.from({ length: SPACES }, (_, index) => index)
  const makeOne = (index: number) => {
    const random = new Random(SEED * 1000 + index)
    return makeWebScene(servers, operator, { random, first: index * 1_000_000 })
  }
  return Promise.all(indexes.map(makeOne))
}

async function pass(scene: WebScene, states: number): Promise<void> {
  for (let state = 0; state < states; state += 1) {
    await changeWeb(scene)
    await compareSpace(scene)
  }
}

test('WEBPAGE-2, WEBPAGE-3, WEBPAGE-4, WEBPAGE-5, WEBPAGE-10, WEBPAGE-14, WEBPAGE-15, WEBPAGE-16: within a second of each change, on every process, pages show what the rule says, also to caches that ask again', {
  skip: withoutValkey,
}, async (context) => {
  const scenes = await makeScenes()
  await allow(scenes, true)
  for (const scene of scenes) await openAll(scene)
  for (let states = 0, isAllowed = true; states < STATES; isAllowed = !isAllowed) {
    const stretch = isAllowed ? STRETCH : STRETCH_WHILE_OFF
    await Promise.all(scenes.map((scene) => pass(scene, stretch)))
    await allow(scenes, !isAllowed)
    states += stretch * SPACES
  }
  context.diagnostic(JSON.stringify({ ...seen, unchanged: cache.unchanged }))
  const { messages, names, titles, answers, files, gone } = seen
  assert.ok(
    Math.min(messages, names, titles) > STATES / 3 && answers > 0 && files > 0 && gone > 0,
    JSON.stringify(seen),
  )
  assert.ok(cache.unchanged > STATES)
})
