import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { type QueryWord, queryWordsOf } from '@foyer/protocol/words'
import { authorLexeme, kindLexeme, mentionLexeme, pinnedLexeme, tagOf } from './lexemes.ts'

/** Something that a message must have, as PostgreSQL's tsquery: one of some lexemes, or one that begins so. */
export interface Clause {
  readonly query: string
  /** Stands for many lexemes: to look them all up takes longer. */
  readonly isPrefix: boolean
}

export interface Condition {
  readonly clauses: readonly Clause[]
  /** What it must not have. */
  readonly excluded: string | null
}

/** What a search asks of a message's words and of what else is indexed with them. */
export function conditionOf(tenantId: string, asked: SearchMessagesQuery): Condition {
  const tag = tagOf(tenantId)
  const words = withoutImplied(queryWordsOf(asked.query ?? ''))
  const filters = [
    (asked.has ?? []).map((kind) => kindLexeme(tag, kind)),
    (asked.author_id ?? []).map((id) => authorLexeme(tag, id)),
    (asked.mentions ?? []).map((id) => mentionLexeme(tag, id)),
    asked.pinned === true ? [pinnedLexeme(tag)] : [],
  ]
  return {
    clauses: [
      ...filters.filter((alternatives) => alternatives.length > 0).map(anyOf),
      // The longest are the rarest, mostly.
      ...words.toSorted((a, b) => b.text.length - a.text.length).map((word) => beginning(tag, word)),
    ],
    excluded: asked.pinned === false ? quote(pinnedLexeme(tag)) : null,
  }
}

/** All of it in one tsquery; null asks for nothing. */
export function wholeQuery({ clauses, excluded }: Condition): string | null {
  const parts = clauses.map(({ query }) => query)
  if (excluded !== null) parts.push(`!${excluded}`)
  return parts.length === 0 ? null : parts.join(' & ')
}

export function anyOf(lexemes: readonly string[]): Clause {
  return { query: `(${[...new Set(lexemes)].map(quote).join(' | ')})`, isPrefix: false }
}

function beginning(tag: string, { text, isWhole }: QueryWord): Clause {
  return { query: isWhole ? quote(tag + text) : `${quote(tag + text)}:*`, isPrefix: !isWhole }
}

/** Whoever has a word that begins with `foobar` has one that begins with `foo`. */
function withoutImplied(words: readonly QueryWord[]): QueryWord[] {
  const isImplied = (word: QueryWord) =>
    words.some((other) => other !== word && !word.isWhole && other.text.startsWith(word.text))
  return words.filter((word) => !isImplied(word))
}

/** Tags, words and signs have neither quotes nor backslashes: letters, digits, marks, `-`, `_` and `=`. */
function quote(lexeme: string): string {
  return `'${lexeme}'`
}
