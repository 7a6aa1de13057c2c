// Measures the puzzle for new accounts: an attacker's work with Node's own SHA-256 on one core, the check on the server, and
// the time to solve it in Chromium, in a page that is slowed down six times.
import { hash } from 'node:crypto'
import type { Puzzle } from '@foyer/protocol/puzzle'
import { PuzzleMessage, solvesPart } from '@foyer/protocol/puzzle-work'
import type { Browser } from 'playwright-core'
import { sha256 } from '../apps/web/src/auth/puzzle/sha256.ts'
import { launchBrowser } from '../e2e/browser.ts'
import { median, percentile } from './load/latencies.ts'
import { readOptions } from './options.ts'
import { beginAttack, newAddress, offerTo, type Visit, visit } from './puzzle/visits.ts'
import { report } from './report.ts'
import { type Foyer, withFoyer } from './server/foyer.ts'

const MAX_SECONDS = 3
const MAX_ACCOUNTS = { rest: 40, attack: 4 }

// The visits without an attack (`rest`) stay under the 20 sign-ups in five minutes that count as an attack.
const options = readOptions(
  { slowdown: 6, rest: 15, attack: 20, seconds: 5, filling: 20, signups: 40 },
  { slowdown: 1, rest: 1, attack: 1, seconds: 0.2, filling: 0, signups: 0 },
)
const { numbers } = options
const settings = { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1', SIGNUP_PUZZLE: 'always' }
const start = { profileDir: options.profileDir, settings }
// Uses two servers, so that the sign-ups of one measurement do not count towards an attack in the other.
const rest = await withFoyer(start, (foyer) => withBrowser((browser) => measureRest(foyer, browser)))
const attack = await withFoyer(start, (foyer) => withBrowser((browser) => measureAttack(foyer, browser)))
const figures = figuresOf(rest, attack)
const misses = {
  [`an attacker makes over ${MAX_ACCOUNTS.rest} accounts a core-minute at rest`]:
    figures.rest_accounts_per_core_minute > MAX_ACCOUNTS.rest,
  [`an attacker makes over ${MAX_ACCOUNTS.attack} accounts a core-minute under attack`]:
    figures.attack_accounts_per_core_minute > MAX_ACCOUNTS.attack,
  [`a new account takes over ${MAX_SECONDS} s at rest`]: figures.rest_p95_s > MAX_SECONDS,
  [`after ${numbers.filling} s for the form, it takes over ${MAX_SECONDS} s under attack`]:
    figures.attack_wait_after_form_p95_s > MAX_SECONDS,
}
report({
  ...options,
  name: 'puzzle',
  problems: Object.entries(misses).flatMap(([what, isSo]) => (isSo && !options.isSmoke ? [what] : [])),
  figures,
})

type Work = Pick<Puzzle, 'parts' | 'tries'>

async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchBrowser()
  return work(browser).finally(() => browser.close())
}

async function measureRest(foyer: Foyer, browser: Browser) {
  const puzzle = await offerTo(foyer, newAddress())
  return {
    puzzle,
    messages: measureHashes(puzzle.message_bytes, numbers.seconds),
    visits: await measureVisits(browser, foyer, { times: numbers.rest, fillingMs: 0 }),
  }
}

async function measureAttack(foyer: Foyer, browser: Browser) {
  await beginAttack(foyer, numbers.signups)
  const puzzle = await offerTo(foyer, newAddress())
  const visits = await measureVisits(browser, foyer, { times: numbers.attack, fillingMs: 0 })
  const fillingMs = numbers.filling * 1000
  return {
    puzzle,
    visits,
    afterForm: await measureVisits(browser, foyer, { times: numbers.attack, fillingMs }),
  }
}

function figuresOf(
  { puzzle, messages, visits }: Awaited<ReturnType<typeof measureRest>>,
  attack: Awaited<ReturnType<typeof measureAttack>>,
) {
  const perMinute = ({ parts, tries }: Work) => (60 * messages.native) / (parts * tries)
  return {
    native_hashes_per_core_second: messages.native,
    script_hashes_per_core_second: messages.script,
    rest_accounts_per_core_minute: perMinute(puzzle),
    attack_accounts_per_core_minute: perMinute(attack.puzzle),
    check_us: (1e6 * puzzle.parts) / messages.native,
    rest_p50_s: median(visits),
    rest_p95_s: percentile(visits, 0.95),
    attack_p50_s: median(attack.visits),
    attack_p95_s: percentile(attack.visits, 0.95),
    attack_wait_after_form_p50_s: median(attack.afterForm),
    attack_wait_after_form_p95_s: percentile(attack.afterForm, 0.95),
  }
}

/** Counts the messages that one core hashes in a second, with Node's SHA-256 and with our own for pages without HTTPS. */
function measureHashes(messageBytes: number, seconds: number) {
  const message = new PuzzleMessage(hash('sha256', 'seed', 'buffer'), 0, messageBytes)
  return {
    native: hashesPerSecond((nonce) => hash('sha256', message.at(nonce), 'buffer'), seconds),
    script: hashesPerSecond((nonce) => sha256(message.at(nonce)), seconds),
  }
}

function hashesPerSecond(digest: (nonce: number) => Uint8Array, seconds: number): number {
  // Lets V8 compile the function before the measurement.
  for (let nonce = 0; nonce < 200; nonce += 1) digest(nonce)
  const before = process.cpuUsage()
  const end = performance.now() + seconds * 1000
  let done = 0
  let solved = 0
  while (performance.now() < end) {
    if (solvesPart(digest(done), 1000)) solved += 1
    done += 1
  }
  const { user, system } = process.cpuUsage(before)
  if (solved > done) throw new Error('more was solved than tried')
  return (done * 1e6) / (user + system)
}

/** Returns the seconds from submitting the form to the new account. */
async function measureVisits(
  browser: Browser,
  foyer: Foyer,
  { times, fillingMs }: Pick<Visit, 'fillingMs'> & { times: number },
): Promise<number[]> {
  const seconds: number[] = []
  for (let time = 0; time < times; time += 1)
    seconds.push(await visit(browser, foyer, { slowdown: numbers.slowdown, fillingMs }))
  return seconds
}
