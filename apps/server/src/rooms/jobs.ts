import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import { discardFiles } from '#src/files/actions.ts'
import type { Database } from '#src/kernel/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { listFileIds, type SweptRoom, sweepMessages, sweepNonces, sweepReadStates } from './queries.ts'

/** Rows of a kind that one run deletes at most. Measured on 2 cores: 5000 of each of the three kinds take 70 to 90 ms. */
const SWEEP_BATCH = 5000

/** Each is looked after by the sweep of files afterwards. */
const FILES_BATCH = 500

const sweeps = [sweepMessages, sweepNonces, sweepReadStates]

const Payload = Type.Object({ space_id: Type.String(), room_id: Type.String() })

/** Deletes what a deleted room leaves, which may be more than a request's transaction has time for. */
export function roomJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: { sweep_room: (payload) => sweepRoom(database, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** One batch; the next is a job of its own, so that a server that stops waits for no more than this one. */
async function sweepRoom(database: Database, room: SweptRoom): Promise<void> {
  await database.transaction(async (transaction) => {
    const fileIds = await listFileIds(transaction, room, FILES_BATCH)
    await discardFiles(transaction, room.space_id, fileIds)
    const swept = await Promise.all(sweeps.map((sweep) => sweep(transaction, room, SWEEP_BATCH)))
    if (swept.includes(SWEEP_BATCH) || fileIds.length === FILES_BATCH)
      await enqueueJob(transaction, 'sweep_room', room)
  })
}
