import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@foyer/sdk/rest'

const MAX_TRIES = 60
const PAUSE_MS = 500

/** Retries a request while the busy server answers 503. The request must be safe to repeat. */
export async function persistently<Result>(
  request: () => Promise<Result>,
  tries = MAX_TRIES,
): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (tries === 1 || !(error instanceof ApiError) || error.status !== 503) throw error
    await delay(PAUSE_MS)
    return persistently(request, tries - 1)
  }
}

/** Retries a deletion like `persistently`. After a 503, a 404 counts as success: the earlier request was executed nevertheless. */
export async function persistentlyDelete(request: () => Promise<void>): Promise<void> {
  let tries = 0
  await persistently(async () => {
    tries += 1
    await request().catch((error: unknown) => {
      const wasDone = tries > 1 && error instanceof ApiError && error.status === 404
      if (!wasDone) throw error
    })
  })
}
