import type { Queryable } from '#src/kernel/sql/sql.ts'
import { keepUnfinished } from './queries.ts'

/** Thrown if another run has started to build the space, or the import has ended. */
export class BuildingEnded extends Error {}

/**
 * Locks an unfinished space until the transaction ends, and postpones its purge by some hours.
 * @throws BuildingEnded if the space was given up
 */
export async function keepBuilding(transaction: Queryable, spaceId: string): Promise<void> {
  if (!(await keepUnfinished(transaction, spaceId))) throw new BuildingEnded('the space was given up')
}
