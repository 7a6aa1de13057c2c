// Measures how much each of many attacks by one account slows a hundred ordinary users, with all limits on.
import { execFileSync } from 'node:child_process'
import type { Attack } from './fairness/attack.ts'
import { AttackerProcess } from './fairness/attacker-process.ts'
import { attackNamed, attacks } from './fairness/attacks.ts'
import type { Fixture } from './fairness/fixture.ts'
import { missedGoals } from './fairness/goals.ts'
import { type Population, settle } from './fairness/ordinary-users.ts'
import { type Outcome, tryAttack } from './fairness/phases.ts'
import { keep, writeTable } from './fairness/table.ts'
import { readOptions } from './options.ts'
import { type Foyer, makeDataDir, startFoyer } from './server/foyer.ts'

/** The attacker's hosts are on this machine: the server must not refuse them as private. */
const HOSTS = { ALLOWED_PRIVATE_HOSTS: '127.0.0.0/8' }

const options = readOptions(
  { people: 100, spaces: 10, warmup: 2, calm: 7, attack: 11, recovery: 3 },
  { people: 20, spaces: 2, warmup: 0.2, calm: 0.4, attack: 0.5, recovery: 0.1 },
  ['only'],
)
const { numbers, isSmoke, isRecorded } = options
const wanted = options.texts.only?.split(',').map(attackNamed) ?? attacks

interface Prepared {
  attack: Attack
  fixture: Fixture
}

const dataDir = await makeDataDir()
const outcomes = await tryAll().finally(dataDir.remove)
const problems = outcomes.flatMap((outcome) => outcome.problems)
const isFair = outcomes.every((outcome) => missedGoals(outcome).length === 0)
console.log(writeTable(outcomes))
for (const problem of problems) console.error(`PROBLEM: ${problem}`)
if (isRecorded && problems.length === 0) console.log(`recorded in ${keep(outcomes)}`)
if (problems.length > 0 || !(isFair || isSmoke)) process.exitCode = 1

/** Gives each attack a fresh server, so that none suffers from the one before. In a smoke test all share one. */
async function tryAll(): Promise<Outcome[]> {
  const { prepared, population } = await prepare()
  if (isSmoke) return onCopy(prepared, population)
  const outcomes: Outcome[] = []
  for (const one of prepared) outcomes.push(...(await onCopy([one], population)))
  return outcomes
}

/** Creates all accounts and data on a server without limits. */
async function prepare(): Promise<{ prepared: Prepared[]; population: Population }> {
  const foyer = await startFoyer({ ...options, dataDir: dataDir.path, settings: HOSTS })
  const population = await settle(foyer, numbers)
  const prepared: Prepared[] = []
  for (const attack of wanted) prepared.push({ attack, fixture: await attack.prepare({ foyer, isSmoke }) })
  await foyer.stop()
  return { prepared, population }
}

async function onCopy(prepared: readonly Prepared[], population: Population): Promise<Outcome[]> {
  const copy = await makeDataDir()
  try {
    execFileSync('cp', ['-a', dataDir.path, copy.path])
    const settings = { ...HOSTS, RATE_LIMITS: 'on' }
    const foyer = await startFoyer({ ...options, dataDir: copy.path, settings })
    return await attackAll(foyer, prepared, population).finally(foyer.stop)
  } finally {
    await copy.remove()
  }
}

async function attackAll(
  foyer: Foyer,
  prepared: readonly Prepared[],
  population: Population,
): Promise<Outcome[]> {
  const attacker = await AttackerProcess.start()
  const outcomes: Outcome[] = []
  for (const each of prepared) {
    const outcome = await tryAttack(foyer, { ...each, population, isSmoke, attacker, seconds: numbers })
    console.error(`${outcome.name}: ${missedGoals(outcome).join('; ') || 'ok'}`)
    outcomes.push(outcome)
  }
  attacker.close()
  return outcomes
}
