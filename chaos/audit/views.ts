import type { Events } from '@foyer/protocol/events'
import type { Ear } from '../listening/ear.ts'
import { View } from '../listening/view.ts'
import { freshClient } from '../world/people.ts'
import type { Person } from '../world/place.ts'
import type { Findings } from './findings.ts'

const AT_ONCE = 10
const MAX_READY_MS = 30_000

/** What everybody knows of spaces, rooms, roles and groups by hearing events is what a fresh connection is told. */
export async function auditViews(
  url: string,
  people: readonly Person[],
  ears: ReadonlyMap<string, Ear>,
  findings: Findings,
): Promise<void> {
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const some = people.slice(from, from + AT_ONCE)
    await Promise.all(some.map((person) => auditView(url, person, ears.get(person.id), findings)))
  }
}

async function auditView(
  url: string,
  person: Person,
  ear: Ear | undefined,
  findings: Findings,
): Promise<void> {
  const ready = await askReady(url, person)
  if (ready === undefined) {
    findings.add('stuck', 'a fresh connection gets no READY', { userId: person.id })
    return
  }
  const view = new View(person.id)
  view.apply('READY', ready)
  const who = { userId: person.id, trace: ear?.trace.lines() ?? [] }
  compareViews(who, ear?.view.lines() ?? [], view.lines(), findings)
}

export function compareViews(
  who: { userId: string; trace: readonly string[] },
  known: readonly string[],
  fresh: readonly string[],
  findings: Findings,
): void {
  const [knownSet, freshSet] = [new Set(known), new Set(fresh)]
  const onlyKnown = known.filter((line) => !freshSet.has(line))
  const onlyFresh = fresh.filter((line) => !knownSet.has(line))
  if (onlyKnown.length + onlyFresh.length === 0) return
  findings.add('diverged', 'a client knows something else than READY tells', { ...who, onlyKnown, onlyFresh })
}

async function askReady(url: string, person: Person): Promise<Events['READY'] | undefined> {
  const { gateway } = freshClient(url, person)
  const ready = Promise.withResolvers<Events['READY'] | undefined>()
  gateway.on('READY', ready.resolve)
  const timer = setTimeout(() => ready.resolve(undefined), MAX_READY_MS)
  gateway.connect()
  const answer = await ready.promise
  clearTimeout(timer)
  gateway.close()
  return answer
}
