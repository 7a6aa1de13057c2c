import type { Events } from '@foyer/protocol/events'
import type { Recorder } from '../listening/recorder.ts'
import { View } from '../listening/view.ts'
import { freshClient } from '../world/people.ts'
import type { Person } from '../world/tenant.ts'
import type { Findings } from './findings.ts'

const AT_ONCE = 10
const MAX_READY_MS = 30_000

/** Checks that the spaces, rooms, roles and groups each client knows from events match a fresh READY. */
export async function auditViews(
  url: string,
  people: readonly Person[],
  recorders: ReadonlyMap<string, Recorder>,
  findings: Findings,
): Promise<void> {
  for (let from = 0; from < people.length; from += AT_ONCE) {
    const some = people.slice(from, from + AT_ONCE)
    await Promise.all(some.map((person) => auditView(url, person, recorders.get(person.id), findings)))
  }
}

async function auditView(
  url: string,
  person: Person,
  recorder: Recorder | undefined,
  findings: Findings,
): Promise<void> {
  const ready = await askReady(url, person)
  if (ready === undefined) {
    findings.add('stuck', 'a new connection received no READY', { userId: person.id })
    return
  }
  const view = new View(person.id)
  view.apply('READY', ready)
  const who = { userId: person.id, trace: recorder?.trace.lines() ?? [] }
  compareViews(who, recorder?.view.lines() ?? [], view.lines(), findings)
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
  findings.add('diverged', 'the view of a client differs from READY', { ...who, onlyKnown, onlyFresh })
}

/** Connects another client. @returns its READY; undefined if none arrived in time */
export async function askReady(url: string, person: Person): Promise<Events['READY'] | undefined> {
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
