import { MAX_SIMILAR_THREADS } from '@foyer/protocol/limits'
import type { SimilarThreads } from '@foyer/protocol/thread-rooms'
import { wordsOf } from '@foyer/protocol/words'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { listThreadRows, type ThreadRow } from '#src/thread-rooms/queries.ts'
import { findSharing, weightOfWord } from './similar-queries.ts'

/** Maximum posts whose whole titles are compared: those that share the most words. */
const MAX_COMPARED = 50

/**
 * Finds the posts with the most similar titles; of equally similar posts, those with an answer come first. Titles are
 * more similar the more words they share. A rare word counts more than a common word.
 */
export async function findSimilar(
  database: Queryable,
  { spaceId, room }: RoomAccess,
  title: string,
): Promise<SimilarThreads> {
  const key = { spaceId, roomId: room.id }
  const words = wordsOf(title)
  const { ids, counts } = await findSharing(database, key, words, MAX_COMPARED)
  const weights = new Map(words.map((word) => [word, weightOfWord(counts.get(word) ?? 0)]))
  const rows = await listThreadRows(database, spaceId, ids)
  const ranked = rows
    .map((thread) => ({ thread, similarity: similarityOf(weights, thread) }))
    .toSorted((one, other) => other.similarity - one.similarity || compareEqual(one.thread, other.thread))
  return { threads: ranked.slice(0, MAX_SIMILAR_THREADS).map(({ thread }) => thread) }
}

/** Returns the weight of the shared words as a share of the weight of both titles, from 0 to 1 (Dice coefficient). */
function similarityOf(weights: ReadonlyMap<string, number>, { title }: ThreadRow): number {
  const asked = sumOf([...weights.values()])
  const average = asked / weights.size
  const words = wordsOf(title)
  const shared = sumOf(words.map((word) => weights.get(word) ?? 0))
  const other = sumOf(words.map((word) => weights.get(word) ?? average))
  return (2 * shared) / (asked + other)
}

function compareEqual(one: ThreadRow, other: ThreadRow): number {
  return Number(isSolved(other)) - Number(isSolved(one)) || (one.id < other.id ? 1 : -1)
}

function isSolved({ solved_message_id }: ThreadRow): boolean {
  return solved_message_id !== null && solved_message_id !== undefined
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
