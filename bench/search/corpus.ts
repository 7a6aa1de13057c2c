import { newId } from '../../apps/server/src/kernel/ids.ts'
import type { SearchMessagesQuery } from '../../packages/protocol/src/search.ts'
import { matchesWord, queryWordsOf, wordsOf } from '../../packages/protocol/src/words.ts'
import { makeVocabulary, seeded, zipf } from './vocabulary.ts'

const VOCABULARY = 50_000
const AUTHORS = 300
const MEAN_WORDS = 10
const YEARS = 2
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/** Optional parts of messages, with the number of messages per million that have them. */
const LINK = { bit: 1, perMillion: 50_000 }
const IMAGE = { bit: 2, perMillion: 20_000 }
const PINNED = { bit: 4, perMillion: 20 }
const SOUND = { bit: 8, perMillion: 2 }
const extras = [LINK, IMAGE, PINNED, SOUND]

export interface CorpusMessage {
  id: string
  createdAt: string
  roomId: string
  authorId: string
  mentionIds: string[] | null
  content: string
  isPinned: boolean
  media: string[] | null
}

/** The messages of one space, kept as numbers: they are loaded into the tables, and scanned for expected results. */
export class Corpus {
  readonly size: number
  readonly vocabulary: readonly string[]
  /** Ordered by messages written, fewest first. */
  readonly authorIds: readonly string[]
  readonly roomIds: readonly string[]
  readonly #start: number
  readonly #step: number
  readonly #ends: Uint32Array
  readonly #ranks: Uint16Array
  readonly #authors: Uint16Array
  readonly #mentions: Uint16Array
  readonly #rooms: Uint8Array
  readonly #extras: Uint8Array

  /** @param vocabulary words of another corpus to reuse, because making a vocabulary is slow */
  constructor(size: number, roomIds: readonly string[], seed: number, vocabulary?: readonly string[]) {
    const random = seeded(seed)
    this.size = size
    this.roomIds = roomIds
    this.vocabulary = vocabulary ?? makeVocabulary(VOCABULARY, random)
    this.authorIds = Array.from({ length: AUTHORS }, () => newId())
    this.#start = Date.now() - YEARS * YEAR_MS
    this.#step = (YEARS * YEAR_MS) / size
    this.#ends = new Uint32Array(size + 1)
    this.#ranks = new Uint16Array(size * MEAN_WORDS * 2)
    this.#authors = new Uint16Array(size)
    this.#mentions = new Uint16Array(size)
    this.#rooms = new Uint8Array(size)
    this.#extras = new Uint8Array(size)
    for (let index = 0; index < size; index += 1) this.#draw(index, random)
  }

  #draw(index: number, random: () => number): void {
    const count = 1 + Math.floor(-Math.log(1 - random()) * (MEAN_WORDS - 1))
    const begin = this.#ends[index] ?? 0
    const end = Math.min(begin + Math.min(count, 60), this.#ranks.length)
    for (let place = begin; place < end; place += 1) this.#ranks[place] = zipf(VOCABULARY, random)
    this.#ends[index + 1] = end
    this.#authors[index] = AUTHORS - 1 - zipf(AUTHORS, random)
    // One message in fifty mentions a user; 0 stands for no mention.
    this.#mentions[index] = random() < 0.02 ? 1 + Math.floor(random() * (AUTHORS - 1)) : 0
    this.#rooms[index] = zipf(this.roomIds.length, random)
    this.#extras[index] = extras.reduce(
      (bits, { bit, perMillion }) => (random() * 1e6 < perMillion ? bits | bit : bits),
      0,
    )
  }

  /** Returns a message by its index, oldest first. */
  message(index: number): CorpusMessage {
    const bits = this.#extras[index] ?? 0
    const mention = this.#mentions[index] ?? 0
    const media = [(bits & IMAGE.bit) > 0 ? 'image' : '', (bits & SOUND.bit) > 0 ? 'audio' : ''].filter(
      Boolean,
    )
    return {
      id: this.idOf(index),
      createdAt: new Date(this.#timeOf(index)).toISOString(),
      roomId: this.roomIds[this.#rooms[index] ?? 0] ?? '',
      authorId: this.authorIds[this.#authors[index] ?? 0] ?? '',
      mentionIds: mention === 0 ? null : [this.authorIds[mention] ?? ''],
      content: this.#contentOf(index),
      isPinned: (bits & PINNED.bit) > 0,
      media: media.length === 0 ? null : media,
    }
  }

  idOf(index: number): string {
    const time = this.#timeOf(index).toString(16).padStart(12, '0')
    const count = index.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3, 6)}-${count.slice(6)}${this.roomIds[0]?.slice(-6)}`
  }

  /** Returns the expected result of a search, newest first, by scanning all messages. */
  scan(query: SearchMessagesQuery, roomIds: ReadonlySet<string>): string[] {
    const accepts = this.#acceptorOf(query, roomIds)
    const found: string[] = []
    for (let index = this.size - 1; index >= 0 && found.length < (query.limit ?? 25); index -= 1) {
      if (accepts(index)) found.push(this.idOf(index))
    }
    return found
  }

  #acceptorOf(query: SearchMessagesQuery, roomIds: ReadonlySet<string>): (index: number) => boolean {
    const asked = queryWordsOf(query.query ?? '')
    const ranksOf = asked.map((word) => this.#ranksOf((text) => matchesWord(word, text)))
    const rooms = this.roomIds.map((id) => roomIds.has(id) && (query.room_id?.includes(id) ?? true))
    const authors = this.authorIds.map((id) => query.author_id?.includes(id) ?? true)
    const mentions = this.authorIds.map((id, author) => author > 0 && (query.mentions?.includes(id) ?? false))
    const bits = (query.has ?? []).map((kind) => bitOf[kind] ?? 0).reduce((all, bit) => all | bit, 0)
    return (index) => {
      const own = this.#extras[index] ?? 0
      if (rooms[this.#rooms[index] ?? 0] !== true || authors[this.#authors[index] ?? 0] !== true) return false
      if (query.mentions !== undefined && mentions[this.#mentions[index] ?? 0] !== true) return false
      if (bits > 0 && (own & bits) === 0) return false
      if (query.pinned !== undefined && query.pinned !== (own & PINNED.bit) > 0) return false
      if (query.cursor !== undefined && this.idOf(index) >= query.cursor) return false
      return ranksOf.every((ranks) => this.#hasOneOf(index, ranks))
    }
  }

  #ranksOf(matches: (word: string) => boolean): Uint8Array {
    return Uint8Array.from(this.vocabulary, (word) => (wordsOf(word).some(matches) ? 1 : 0))
  }

  #hasOneOf(index: number, ranks: Uint8Array): boolean {
    const end = this.#ends[index + 1] ?? 0
    for (let place = this.#ends[index] ?? 0; place < end; place += 1) {
      if (ranks[this.#ranks[place] ?? 0] === 1) return true
    }
    return false
  }

  #timeOf(index: number): number {
    return Math.floor(this.#start + index * this.#step)
  }

  #contentOf(index: number): string {
    const words: string[] = []
    const end = this.#ends[index + 1] ?? 0
    for (let place = this.#ends[index] ?? 0; place < end; place += 1) {
      words.push(this.vocabulary[this.#ranks[place] ?? 0] ?? '')
    }
    const link = ((this.#extras[index] ?? 0) & LINK.bit) > 0 ? ' https://0.0/' : ''
    return words.join(' ') + link
  }
}

const bitOf: Readonly<Record<string, number>> = {
  link: LINK.bit,
  image: IMAGE.bit,
  file: IMAGE.bit | SOUND.bit,
  sound: SOUND.bit,
}
