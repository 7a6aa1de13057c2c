import type { SearchMessagesQuery } from '../../packages/protocol/src/search.ts'
import { wordsOf } from '../../packages/protocol/src/words.ts'
import type { Corpus } from './corpus.ts'
import type { Random } from './vocabulary.ts'

/** A kind of search, made many times. */
export interface Cell {
  name: string
  /** Goal: GOAL_MS, or WORST_GOAL_MS for the worst prefixes. */
  goalMs: number
  /** Searches as the member who may view only some rooms with few messages. */
  isRestricted?: true
  make(random: Random): SearchMessagesQuery
}

const GOAL_MS = 50
const WORST_GOAL_MS = 200

/** Returns all kinds of searches. */
export function cellsOf(corpus: Corpus): Cell[] {
  const pick = pickerOf(corpus)
  return [
    ...wordCells(pick),
    ...beginningCells(pick),
    ...filterCells(pick, corpus),
    ...placeCells(pick, corpus),
  ]
}

interface Picker {
  /** Returns a word whose rank is at least `from` and below `to`. */
  word(random: Random, from: number, to: number): string
  beginning(random: Random, length: number): string
  hard(random: Random): string
  author(random: Random, count: number): string[]
}

function pickerOf(corpus: Corpus): Picker {
  const { vocabulary, authorIds } = corpus
  const hardOnes = [...hardBeginnings(corpus)]
  const from = <T>(list: readonly T[], random: Random) => list[Math.floor(random() * list.length)]
  return {
    word: (random, first, end) => from(vocabulary.slice(first, end), random) ?? '',
    beginning: (random, length) => [...(from(vocabulary, random) ?? '')].slice(0, length).join(''),
    hard: (random) => from(hardOnes, random) ?? '',
    author: (random, count) => [from(authorIds.slice(0, count), random) ?? ''],
  }
}

function cell(name: string, make: Cell['make'], more: Partial<Cell> = {}): Cell {
  return { name, goalMs: GOAL_MS, make, ...more }
}

function several(count: number, make: () => string): { query: string } {
  return { query: Array.from({ length: count }, make).join(' ') }
}

function wordCells({ word }: Picker): Cell[] {
  return [
    cell('very_common_word', (random) => ({ query: word(random, 3, 20) })),
    cell('common_word', (random) => ({ query: word(random, 20, 500) })),
    cell('uncommon_word', (random) => ({ query: word(random, 500, 5000) })),
    cell('rare_word', (random) => ({ query: word(random, 5000, 50_000) })),
    cell('absent_word', (random) => ({ query: `${word(random, 0, 50_000)}xq` })),
    cell('one_letter_word', (random) => ({ query: word(random, 0, 3) })),
    cell('two_common_words', (random) => several(2, () => word(random, 20, 500))),
    cell('common_and_rare_word', (random) => ({
      query: `${word(random, 3, 100)} ${word(random, 2000, 50_000)}`,
    })),
    cell('two_uncommon_words', (random) => several(2, () => word(random, 300, 3000))),
    cell('three_common_words', (random) => several(3, () => word(random, 10, 300))),
  ]
}

function beginningCells({ beginning, hard }: Picker): Cell[] {
  const worst = { goalMs: WORST_GOAL_MS }
  return [
    cell('three_letters', (random) => ({ query: beginning(random, 3) })),
    cell('two_letters', (random) => ({ query: beginning(random, 2) })),
    cell('two_times_three_letters', (random) => several(2, () => beginning(random, 3)), worst),
    cell('two_times_two_letters', (random) => several(2, () => beginning(random, 2)), worst),
    cell('three_times_two_letters', (random) => several(3, () => beginning(random, 2)), worst),
    cell('worst_two_letters_twice', (random) => several(2, () => hard(random)), worst),
    cell('worst_two_letters_three_times', (random) => several(3, () => hard(random)), worst),
  ]
}

function filterCells({ word, author }: Picker, { authorIds }: Corpus): Cell[] {
  return [
    cell('has_sound', () => ({ has: ['sound'] })),
    cell('pinned', () => ({ pinned: true })),
    cell('author_of_few', (random) => ({ author_id: author(random, 30) })),
    cell('mentioned', (random) => ({ mentions: [authorIds[1 + Math.floor(random() * 299)] ?? ''] })),
    cell('link_by_author', (random) => ({ has: ['link'], author_id: author(random, 300) })),
    cell('common_word_by_author', (random) => ({
      query: word(random, 3, 100),
      author_id: author(random, 300),
    })),
  ]
}

function placeCells({ word, beginning, hard }: Picker, corpus: Corpus): Cell[] {
  const place = (random: Random) => corpus.idOf(Math.floor(random() * corpus.size))
  const room = (random: Random, from: number, to: number) => {
    const some = corpus.roomIds.slice(from, to)
    return { query: word(random, 3, 5000), room_id: [some[Math.floor(random() * some.length)] ?? ''] }
  }
  const isRestricted = true
  return [
    cell('word_in_small_room', (random) => room(random, -20, corpus.roomIds.length)),
    cell('word_in_large_room', (random) => room(random, 0, 3)),
    cell('word_behind_cursor', (random) => ({ query: word(random, 3, 5000), cursor: place(random) })),
    cell('two_letters_behind_cursor', (random) => ({ query: beginning(random, 2), cursor: place(random) })),
    cell('restricted_word', (random) => ({ query: word(random, 3, 5000) }), { isRestricted }),
    cell('restricted_two_words', (random) => several(2, () => word(random, 20, 1000)), { isRestricted }),
    cell('restricted_two_letters', (random) => ({ query: beginning(random, 2) }), { isRestricted }),
    cell('restricted_worst_two_letters_twice', (random) => several(2, () => hard(random)), {
      isRestricted,
      goalMs: WORST_GOAL_MS,
    }),
  ]
}

/** Yields prefixes of medium frequency: a scan for messages with two of them is slow, and so is an index lookup of one. */
function* hardBeginnings({ vocabulary }: Corpus): Iterable<string> {
  const shares = new Map<string, number>()
  for (const [rank, word] of vocabulary.entries()) {
    const [start = ''] = wordsOf(word).map((text) => text.slice(0, 2))
    if (start.length === 2) shares.set(start, (shares.get(start) ?? 0) + 1 / (rank + 1))
  }
  const total = vocabulary.reduce((sum, _word, rank) => sum + 1 / (rank + 1), 0)
  for (const [start, share] of shares) if (share / total > 0.0005 && share / total < 0.006) yield start
}
