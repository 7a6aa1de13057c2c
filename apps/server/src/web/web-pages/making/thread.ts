// The thread that makes pages: with its own heap, so that members do not wait for its garbage to be collected.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { PipelinedReader } from '#src/kernel/sql/pipelined-reader.ts'
import type { Connection } from '#src/kernel/sql/pooling.ts'
import type { Query } from '#src/kernel/sql/sql.ts'
import { wireTypes } from '#src/kernel/sql/wire-types.ts'
import type { FromThread, Made, PageRequest, ToThread } from '../page-thread.ts'
import { makePage } from './jobs.ts'
import { stored } from './storing.ts'

// Generic plans: planning a query for 50 messages of a given room takes as long as reading them.
const options = `${wireTypes.options} -c plan_cache_mode=force_generic_plan`
const connection: Connection = { ...wireTypes, ...workerData, options }
const reader = new PipelinedReader(connection, (error) => send({ kind: 'trouble', error }), 1)
const database = {
  query: async <R extends Record<string, unknown>>(query: Query) => (await reader.query<R>(query)).rows,
}

parentPort?.on('message', async ({ id, request }: ToThread) => {
  try {
    const made = await make(request)
    send({ kind: 'made', id, made })
  } catch (error) {
    send({ kind: 'failed', id, ...partsOf(error) })
  }
})

// Called after everything is loaded, so that loading runs at full speed.
lowerPriority()

async function make({ origin, url, job }: PageRequest): Promise<Made> {
  const made = await makePage({ database, origin }, job)
  if (made === undefined) return undefined
  // Anyone can invent addresses that lead to a page, so only the canonical one is cached.
  if (made.path !== url) return { location: made.path }
  return { page: stored(made), shown: made.shown, until: made.until ?? Number.POSITIVE_INFINITY }
}

/** Lowers the priority of this thread. Does nothing outside of Linux, where the whole process would be affected. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // A sandbox may forbid it. Then pages are made with the usual priority.
  }
}

function send(message: FromThread): void {
  parentPort?.postMessage(message)
}

/** Returns the parts of an error that decide the response. An error loses its code when it is sent to another thread. */
function partsOf(error: unknown): { message: string; stack: string; code: unknown } {
  if (!(error instanceof Error)) return { message: String(error), stack: '', code: undefined }
  return { message: error.message, stack: error.stack ?? '', code: Reflect.get(error, 'code') }
}
