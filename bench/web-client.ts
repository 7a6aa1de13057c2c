// Measures the web client in Chromium, in a space with 500 rooms and 100,000 members. Loading and changing rooms run on a CPU
// slowed down four times.
import { launchBrowser } from '../e2e/browser.ts'
import { median, percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'
import { Reader } from './web-client/reader.ts'
import { makeScene, type Scene } from './web-client/scene.ts'
import { scrollBack } from './web-client/scrolling.ts'
import { type Switches, switchRooms } from './web-client/switching.ts'
import { startThreads } from './web-client/threads.ts'
import { receiveTraffic } from './web-client/traffic.ts'
import { type } from './web-client/typing.ts'

const MAX_LOAD_MS = 1000
const MAX_SCRIPT_KB = 200
/** Limit of the median, because the 95th percentile depends on other load of the machine. */
const MAX_SWITCH_MS = 100
/** Limit of the median time to switch threads, as a multiple of the median time to switch rooms. */
const MAX_THREAD_RATIO = 1.25
/** Number of rounds in which rooms and threads take turns, so that a busy moment of the machine affects both. */
const TURNS = 4
const FRAME_MS = 1000 / 60
const MIN_FRAMES_A_SECOND = 50
const MAX_HEAP_PERCENT = 10
/** Number of messages above the middle of the view when it is scrolled to the beginning. */
const FIRST_ONES = 25

const options = readOptions(
  {
    rooms: 500,
    members: 100_000,
    history: 50_000,
    loads: 5,
    switches: 60,
    keys: 200,
    behind: 10_000,
    step: 400,
    events: 100_000,
    slowdown: 4,
  },
  {
    rooms: 16,
    members: 30,
    history: 300,
    loads: 1,
    switches: 4,
    keys: 10,
    behind: 150,
    step: 200,
    events: 48,
    slowdown: 1,
  },
)
const { numbers } = options
const figures = await withFoyer({ profileDir: options.profileDir }, measure)
const misses = {
  [`the first load takes over ${MAX_LOAD_MS} ms`]: figures.first_load_p50_ms > MAX_LOAD_MS,
  [`scripts are over ${MAX_SCRIPT_KB} kB`]: figures.first_load_scripts_kb > MAX_SCRIPT_KB,
  [`switching rooms takes over ${MAX_SWITCH_MS} ms`]: figures.switch_p50_ms > MAX_SWITCH_MS,
  [`switching threads takes over ${MAX_THREAD_RATIO} times as long as rooms`]:
    figures.thread_switch_p50_ms > MAX_THREAD_RATIO * figures.switch_p50_ms,
  'scrolling did not reach the beginning': figures.scroll_oldest_message > FIRST_ONES,
  'a key takes longer than a frame': figures.key_work_ms > FRAME_MS,
  [`scrolling has under ${MIN_FRAMES_A_SECOND} frames a second`]:
    figures.scroll_frames_per_second < MIN_FRAMES_A_SECOND,
  [`the heap grows by over ${MAX_HEAP_PERCENT} percent`]: figures.heap_growth_percent > MAX_HEAP_PERCENT,
}
report({
  ...options,
  name: 'web-client',
  problems: [
    ...(figures.scroll_jumps > 0 ? [`the view jumps ${figures.scroll_jumps} times`] : []),
    ...Object.entries(misses).flatMap(([what, isSo]) => (isSo && !options.isSmoke ? [what] : [])),
  ],
  figures,
})

async function measure(foyer: Foyer) {
  const scene = await makeScene(foyer, numbers)
  const browser = await launchBrowser()
  const arrive = () => Reader.arrive(browser, foyer, { scene, slowdown: numbers.slowdown })
  try {
    return {
      ...(await measureLoads(arrive, scene)),
      // Runs after the loads, because it starts threads, and a client that follows threads loads more scripts.
      ...(await measureSwitches(foyer, arrive, scene)),
      ...(await measureHistory(arrive, scene)),
      ...(await measureTraffic(arrive, scene)),
    }
  } finally {
    await browser.close()
  }
}

type Arrive = () => Promise<Reader>

/** Loads the page with an empty cache. */
async function measureLoads(arrive: Arrive, scene: Scene) {
  const loads: { ms: number; work: number; bytes: number }[] = []
  for (let round = 0; round < numbers.loads; round += 1) {
    const reader = await arrive()
    const ms = await reader.open(scene.long)
    loads.push({ ms, work: (await reader.workSeconds()) * 1000, bytes: reader.scriptBytes })
    await reader.leave()
  }
  return {
    first_load_p50_ms: median(loads.map(({ ms }) => ms)),
    first_load_best_ms: Math.min(...loads.map(({ ms }) => ms)),
    first_load_work_ms: median(loads.map(({ work }) => work)),
    first_load_scripts_kb: median(loads.map(({ bytes }) => bytes)) / 1000,
  }
}

async function measureSwitches(foyer: Foyer, arrive: Arrive, scene: Scene) {
  const threads = await startThreads(foyer, scene)
  const reader = await arrive()
  await reader.open(scene.long)
  const [ofRooms, ofThreads]: [Switches[], Switches[]] = [[], []]
  const count = Math.ceil(numbers.switches / TURNS)
  for (let turn = 0; turn < TURNS; turn += 1) {
    ofRooms.push(await switchRooms(reader, scene.short, count))
    ofThreads.push(await switchRooms(reader, threads, count))
  }
  await reader.leave()
  const [rooms, others] = [summaryOf(ofRooms), summaryOf(ofThreads)]
  return {
    switch_p50_ms: rooms.p50,
    switch_p95_ms: rooms.p95,
    switch_work_ms: rooms.work,
    thread_switch_p50_ms: others.p50,
    thread_switch_p95_ms: others.p95,
    thread_switch_work_ms: others.work,
  }
}

function summaryOf(switches: readonly Switches[]) {
  const spans = switches.flatMap(({ spansMs }) => spansMs)
  const work = median(switches.map(({ workMs }) => workMs))
  return { p50: median(spans), p95: percentile(spans, 0.95), work }
}

/** Scrolls through many messages, measures typing, and scrolls through the rest, all without slowing down the CPU. */
async function measureHistory(arrive: Arrive, scene: Scene) {
  const { history, behind, keys, step } = numbers
  const reader = await arrive()
  await reader.open(scene.long)
  await reader.slowDown(1)
  const maxSeconds = (history / 50_000) * 120 + 20
  const first = await scrollBack(reader, { step, until: history - behind, maxSeconds })
  const { workMs, spansMs } = await type(reader, keys)
  const rest = await scrollBack(reader, { step, until: FIRST_ONES, maxSeconds })
  await reader.leave()
  return {
    key_work_ms: workMs,
    key_to_paint_p50_ms: median(spansMs),
    key_to_paint_p95_ms: percentile(spansMs, 0.95),
    scroll_frames_per_second: (first.frames + rest.frames) / (first.seconds + rest.seconds),
    scroll_work_ms_per_frame: rest.workMs,
    scroll_oldest_message: rest.oldest,
    scroll_messages_per_second: (history - rest.oldest) / (first.seconds + rest.seconds),
    scroll_frames_compared: first.compared + rest.compared,
    scroll_jumps: first.jumps + rest.jumps,
  }
}

async function measureTraffic(arrive: Arrive, scene: Scene) {
  const reader = await arrive()
  await reader.open(scene.long)
  await reader.slowDown(1)
  const { heaps, workMs } = await receiveTraffic(reader, scene, numbers.events)
  await reader.leave()
  const [first = Number.NaN] = heaps
  return {
    heap_mib: median(heaps) / 2 ** 20,
    heap_growth_percent: ((heaps.at(-1) ?? Number.NaN) / first - 1) * 100,
    heap_spread_percent: ((Math.max(...heaps) - Math.min(...heaps)) / median(heaps)) * 100,
    event_work_ms: workMs,
  }
}
