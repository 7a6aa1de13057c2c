import {
  MAX_AUTOMOD_HASHES,
  MAX_AUTOMOD_PATTERN_CHARACTERS,
  MAX_AUTOMOD_WORDS,
  MAX_TIMEOUT_DAYS,
} from '@foyer/protocol/limits'
import { checkGiven } from '#src/auth/check.ts'
import { t } from '#src/language/texts.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import { linesOf } from './lines.ts'
import { type NumberField, numberLimits } from './number-limits.ts'
import type { RuleDraft } from './rule-draft.ts'

export const MAX_TIMEOUT_MINUTES = MAX_TIMEOUT_DAYS * 1440

const FILE_TYPE = /^[\w.+-]+\/(\*|[\w.+-]+)$/
const HASH = /^[0-9a-f]{64}$/i
const MAX_FILE_TYPES = 100

/** Returns errors that the server would report, by field. */
export function checkDraft(draft: RuleDraft): FormErrors {
  return {
    ...checkTrigger(draft),
    ...(draft.timeout_minutes.trim() !== '' &&
      checkNumber('timeout_minutes', draft.timeout_minutes, [1, MAX_TIMEOUT_MINUTES])),
    ...checkGiven({ name: draft.name }, 'name', t('Enter a name for the rule.')),
  }
}

function checkTrigger(draft: RuleDraft): FormErrors {
  switch (draft.type) {
    case 'words':
      return { ...checkPatterns(draft, 'allowed'), ...checkWords(draft) }
    case 'links':
      return checkHosts(draft)
    case 'attachments':
      return checkFiles(draft)
    default:
      return Object.assign({}, ...numbersOf[draft.type].map((field) => checkNumberOf(draft, field)))
  }
}

/** Number fields by type of trigger, for the types without lists. */
const numbersOf: Readonly<
  Record<'invites' | 'mentions' | 'repeats' | 'capitals' | 'new_accounts', readonly NumberField[]>
> = {
  invites: [],
  mentions: ['max'],
  repeats: ['count', 'seconds'],
  capitals: ['percent', 'min_letters'],
  new_accounts: ['hours'],
}

function checkWords(draft: RuleDraft): FormErrors {
  return linesOf(draft.words).length === 0
    ? { words: t('Enter at least one word or phrase.') }
    : checkPatterns(draft, 'words')
}

function checkHosts(draft: RuleDraft): FormErrors {
  return draft.list === 'deny' && linesOf(draft.hosts).length === 0
    ? { hosts: t('Enter at least one host.') }
    : checkPatterns(draft, 'hosts')
}

function checkPatterns(draft: RuleDraft, field: 'words' | 'allowed' | 'hosts'): FormErrors {
  const lines = linesOf(draft[field])
  const long = lines.find((line) => [...line].length > MAX_AUTOMOD_PATTERN_CHARACTERS)
  if (long !== undefined)
    return { [field]: t('Use at most {max} characters per line.', { max: MAX_AUTOMOD_PATTERN_CHARACTERS }) }
  return checkCount(field, lines, MAX_AUTOMOD_WORDS)
}

function checkFiles({ content_types, sha256 }: RuleDraft): FormErrors {
  const types = linesOf(content_types)
  const hashes = linesOf(sha256)
  if (types.length + hashes.length === 0)
    return { content_types: t('Enter at least one file type or one SHA-256.') }
  const wrongType = types.find((line) => !FILE_TYPE.test(line))
  if (wrongType !== undefined)
    return { content_types: t('Write file types like image/png or image/*: {line}', { line: wrongType }) }
  const wrongHash = hashes.find((line) => !HASH.test(line))
  if (wrongHash !== undefined)
    return { sha256: t('A SHA-256 has 64 hexadecimal digits: {line}', { line: wrongHash }) }
  return {
    ...checkCount('sha256', hashes, MAX_AUTOMOD_HASHES),
    ...checkCount('content_types', types, MAX_FILE_TYPES),
  }
}

function checkCount(field: string, lines: readonly string[], max: number): FormErrors {
  return lines.length > max ? { [field]: t('Use at most {max} lines.', { max }) } : {}
}

function checkNumberOf(draft: RuleDraft, field: NumberField): FormErrors {
  return checkNumber(field, draft[field], numberLimits[field])
}

function checkNumber(field: string, value: string, [min, max]: readonly [number, number]): FormErrors {
  const number = Number(value)
  if (value.trim() !== '' && Number.isInteger(number) && number >= min && number <= max) return {}
  return { [field]: t('Enter a whole number from {min} to {max}.', { min, max }) }
}
