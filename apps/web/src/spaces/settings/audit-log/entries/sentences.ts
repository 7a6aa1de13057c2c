import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { fill } from '#src/language/texts.ts'
import { automodSentences } from './automod-sentences.ts'
import { contentSentences } from './content-sentences.ts'
import { doorSentences } from './door-sentences.ts'
import { memberSentences } from './member-sentences.ts'
import type { EntryNames } from './names.ts'
import type { Sentences } from './sentence-table.ts'
import { spaceSentences } from './space-sentences.ts'
import { threadSentences } from './thread-sentences.ts'
import { type SentenceValues, sentenceValues } from './values.ts'

const sentences: Sentences = {
  ...spaceSentences,
  ...memberSentences,
  ...contentSentences,
  ...automodSentences,
  ...doorSentences,
  ...threadSentences,
}

/** A sentence with placeholders in braces, and their values, which are shown in bold. */
export interface Sentence {
  readonly text: string
  readonly values: SentenceValues
}

export function sentenceOf(entry: AuditLogEntry, names: EntryNames): Sentence {
  return { text: sentences[entry.action](entry, names), values: sentenceValues(entry, names) }
}

/** The sentence as plain text, for labels. */
export function plainSentence({ text, values }: Sentence): string {
  return fill(text, values)
}
