import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { type QueryWord, queryWordsOf } from '@foyer/protocol/words'
import { authorLexeme, kindLexeme, mentionLexeme, pinnedLexeme, tagOf } from './lexemes.ts'

/** A required condition as a PostgreSQL tsquery: one of several lexemes, or a prefix. */
export interface Clause {
  readonly query: string
  /** True if the clause matches many lexemes, which take longer to look up. */
  readonly isPrefix: boolean
}

export interface Condition {
  readonly clauses: readonly Clause[]
  /** A tsquery of lexemes that must not match. */
  readonly excluded: string | null
}

/** Builds the condition of a search on the index's lexemes. */
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
      // Long words first: they tend to be rare.
      ...words.toSorted((a, b) => b.text.length - a.text.length).map((word) => beginning(tag, word)),
    ],
    excluded: asked.pinned === false ? quote(pinnedLexeme(tag)) : null,
  }
}

/** Returns one tsquery for all conditions; null if there are none. */
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

/** Removes words that are implied by others: the prefix `foobar` implies the prefix `foo`. */
function withoutImplied(words: readonly QueryWord[]): QueryWord[] {
  const isImplied = (word: QueryWord) =>
    words.some((other) => other !== word && !word.isWhole && other.text.startsWith(word.text))
  return words.filter((word) => !isImplied(word))
}

/** Quotes a lexeme for a tsquery. Nothing needs escaping: lexemes have only letters, digits, marks, `-`, `_` and `=`. */
function quote(lexeme: string): string {
  return `'${lexeme}'`
}
