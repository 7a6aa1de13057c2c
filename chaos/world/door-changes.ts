import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'
import type { SpaceChange, SpaceTable } from './space-tenant.ts'
import type { Person } from './tenant.ts'

/** Maximum time until a newcomer is a member. Usually it takes seconds, longer if the process that runs the jobs is killed. */
const MAX_ENTERING_MS = 60_000
const POLL_MS = 100

/** Closes the door of the space, or opens it. */
export function moveDoor({ model, owner }: SpaceTable): SpaceChange {
  const closed = !model.isClosed
  return {
    name: closed ? 'close the door' : 'open the door',
    request: () => owner.client.door.update(model.id, { closed }),
    apply: (after) => {
      after.isClosed = closed
    },
  }
}

/** Lets a user accept an invite while the door is closed. The user must wait. */
export function comeToDoor({ invite }: SpaceTable, { id, client }: Person): SpaceChange {
  return {
    name: 'come to the closed door',
    request: () => mustWait(client.invites.join(invite)),
    apply: ({ waiting }) => waiting.add(id),
  }
}

async function mustWait(joining: Promise<unknown>): Promise<void> {
  const answer = await joining.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (answer instanceof ApiError && answer.code === 'must_wait') return
  throw answer ?? new ApiError(409, 'came in through the closed door', new Headers())
}

export function letIn({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  const id = dice.pick([...model.waiting])
  if (id === undefined) return undefined
  return {
    name: 'let a newcomer in',
    request: async () => {
      await unlessDecided(owner.client.door.letIn(model.id, { user_ids: [id] }))
      await untilMember(() => owner.client.members.get(model.id, id))
    },
    apply: ({ members, waiting }) => {
      waiting.delete(id)
      members.set(id, new Set())
    },
  }
}

/** Ignores the error that the newcomer is unknown: an earlier, unanswered try may have been executed. */
async function unlessDecided(decision: Promise<unknown>): Promise<void> {
  await decision.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'unknown_newcomer') throw error
  })
}

async function untilMember(find: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + MAX_ENTERING_MS
  for (;;) {
    const error = await find().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (error === undefined) return
    const mayEnter = error instanceof ApiError && error.status === 404 && performance.now() < deadline
    if (!mayEnter) throw error
    await sleep(POLL_MS)
  }
}

export function turnAway({ model, owner, dice }: SpaceTable): SpaceChange | undefined {
  const id = dice.pick([...model.waiting])
  if (id === undefined) return undefined
  return {
    name: 'turn a newcomer away',
    request: () => owner.client.door.remove(model.id, { user_ids: [id] }),
    apply: ({ waiting }) => waiting.delete(id),
    doneBefore: [404],
  }
}
