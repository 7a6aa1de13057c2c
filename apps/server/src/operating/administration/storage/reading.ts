import type { StorageFindings, StorageOverview, StoredFile } from '@foyer/protocol/operator-storage'
import type { User } from '@foyer/protocol/users'
import type { Database } from '#src/kernel/database/database.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findSnapshot } from '#src/operating/updates/snapshot.ts'
import { findUsers } from '#src/people/users/queries.ts'
import {
  type FileOfSurvey,
  findSurvey,
  listBuckets,
  listFiles,
  listNames,
  listTables,
  surveyState,
} from './queries.ts'
import type { Findings } from './tally.ts'

/**
 * Returns the last survey with current names. Each list has a limit, and its names are looked up by primary key in one
 * query.
 */
export async function readStorage(database: Database): Promise<StorageOverview> {
  const [state, row, tables, snapshot] = await Promise.all([
    surveyState(database),
    findSurvey(database),
    listTables(database),
    findSnapshot(database, 0),
  ])
  const { progress, failure, ended_at, result } = row
  const isDone = result !== null && ended_at !== null
  return {
    survey: { state, progress: state === 'running' ? progress : 0, failure },
    findings: isDone ? await present(database, result, ended_at) : null,
    has_snapshot: snapshot !== null,
    tables,
  }
}

async function present(
  database: Queryable,
  findings: Findings,
  surveyedAt: string,
): Promise<StorageFindings> {
  const { total, purposes, own, buckets, spaces, files, missing, loose } = findings
  const [names, largest, lost, places] = await Promise.all([
    listNames(
      database,
      spaces.map(({ id }) => id),
    ),
    listFiles(database, files),
    listFiles(database, missing.files),
    listBuckets(database, buckets),
  ])
  const users = await findUsers(database, [...new Set([...largest, ...lost].map(({ owner_id }) => owner_id))])
  const nameOf = new Map(names.map(({ id, name }) => [id, name]))
  const placeOf = new Map(places.map((place) => [place.id, place]))
  return {
    ...{ surveyed_at: surveyedAt, total, purposes, own, loose },
    spaces: spaces.flatMap((space) => {
      const name = nameOf.get(space.id)
      return name === undefined ? [] : [{ ...space, name }]
    }),
    buckets: buckets.flatMap(({ id, count, bytes }) => {
      const place = placeOf.get(id)
      if (place === undefined) return []
      const { name, bucket_name, space_id, space_name } = place
      return [{ id, name, bucket_name, space: { id: space_id, name: space_name }, count, bytes }]
    }),
    files: largest.map((file) => presentFile(file, users)),
    missing: {
      count: missing.count,
      bytes: missing.bytes,
      files: lost.map((file) => presentFile(file, users)),
    },
  }
}

function presentFile(file: FileOfSurvey, users: readonly User[]): StoredFile {
  const { id, filename, purpose, bytes, owner_id, space_id, space_name, created_at } = file
  return {
    ...{ id, filename, purpose, bytes, created_at },
    uploader: users.find((user) => user.id === owner_id) ?? null,
    space: space_id === null || space_name === null ? null : { id: space_id, name: space_name },
  }
}
