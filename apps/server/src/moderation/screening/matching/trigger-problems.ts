import type { AutomodTrigger, AutomodTriggerType } from '@foyer/protocol/automod'
import { MAX_AUTOMOD_WORDS } from '@foyer/protocol/limits'
import { normalizeHost } from './hosts.ts'
import { parsePattern } from './patterns.ts'

type Field = Exclude<keyof AutomodTrigger, 'type'>

/** Required and optional fields of each trigger type. */
const FIELDS: Readonly<
  Record<AutomodTriggerType, { needed: readonly Field[]; optional?: readonly Field[] }>
> = {
  words: { needed: ['words'], optional: ['allowed'] },
  links: { needed: ['list', 'hosts'] },
  invites: { needed: [] },
  mentions: { needed: ['max'] },
  repeats: { needed: ['count', 'seconds'] },
  capitals: { needed: ['percent', 'min_letters'] },
  new_accounts: { needed: ['hours'] },
  attachments: { needed: [], optional: ['content_types', 'sha256'] },
}

const FIELD_NAMES: readonly Field[] = [
  ...new Set(Object.values(FIELDS).flatMap(({ needed, optional = [] }) => [...needed, ...optional])),
]

const MIN_OPEN_LETTERS = 2

/** Returns a sentence about a trigger that fits the schema but makes no sense; undefined for a valid one. */
export function problemOf(trigger: AutomodTrigger): string | undefined {
  return fieldProblem(trigger) ?? emptyProblem(trigger) ?? wordProblem(trigger) ?? hostProblem(trigger)
}

function fieldProblem(trigger: AutomodTrigger): string | undefined {
  const { needed, optional = [] } = FIELDS[trigger.type]
  const missing = needed.find((field) => trigger[field] === undefined)
  if (missing !== undefined) return `A rule of the type ${trigger.type} needs ${missing}.`
  const other = FIELD_NAMES.find(
    (field) => trigger[field] !== undefined && ![...needed, ...optional].includes(field),
  )
  return other === undefined ? undefined : `A rule of the type ${trigger.type} has no ${other}.`
}

function emptyProblem({
  type,
  words = [],
  list,
  hosts = [],
  content_types = [],
  sha256 = [],
}: AutomodTrigger) {
  if (type === 'words' && (words.length === 0 || words.length > MAX_AUTOMOD_WORDS))
    return `A rule of the type words needs 1 to ${MAX_AUTOMOD_WORDS} words.`
  if (type === 'links' && list === 'deny' && hosts.length === 0)
    return 'A list of denied hosts needs at least one host.'
  if (type === 'attachments' && content_types.length + sha256.length === 0)
    return 'A rule of the type attachments needs at least one of content_types or sha256.'
  return undefined
}

function wordProblem({ words = [], allowed = [] }: AutomodTrigger): string | undefined {
  for (const word of [...words, ...allowed]) {
    const problem = problemOfWord(word)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfWord(word: string): string | undefined {
  const { letters, isOpenBefore, isOpenAfter } = parsePattern(word)
  if (/[^*]\*+[^*]/.test(word.trim()) || /^\*\*|\*\*$/.test(word.trim()))
    return `In “${word}”, * may appear only once at the beginning and once at the end.`
  if (letters.length === 0) return `“${word}” has no letters, digits or symbols.`
  if ((isOpenBefore || isOpenAfter) && letters.length < MIN_OPEN_LETTERS)
    return `“${word}” needs at least ${MIN_OPEN_LETTERS} letters beside *.`
  return undefined
}

function hostProblem({ hosts = [] }: AutomodTrigger): string | undefined {
  const wrong = hosts.find((host) => normalizeHost(host) === undefined)
  if (wrong === undefined) return undefined
  return `“${wrong}” is no host. Write it as in example.com, without https:// and without a path.`
}
