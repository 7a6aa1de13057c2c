import type { Queryable } from '#src/kernel/sql/sql.ts'
import { keepUnfinished } from './queries.ts'

/** Another run has started to build the space, or the import has ended. */
export class BuildingEnded extends Error {}

/**
 * Keeps an unfinished space from its purge, until the transaction ends and for some hours.
 * @throws BuildingEnded if it was given up
 */
export async function keepBuilding(transaction: Queryable, spaceId: string): Promise<void> {
  if (!(await keepUnfinished(transaction, spaceId))) throw new BuildingEnded('the space was given up')
}
