import type { AutomodTrigger } from '@foyer/protocol/automod'
import { isShouted } from './capitals.ts'
import { findInvite, LinkRule, type OwnServer, TextLinks } from './link-rules.ts'
import { compileWords, type Span, type WordMatcher } from './words.ts'

/** A rule of the types words, links, invites or capitals. Rules of other types catch nothing here. */
export interface TextRule {
  readonly id: string
  readonly trigger: AutomodTrigger
}

export interface Match {
  readonly ruleId: string
  /** The caught part of the text, at most 100 characters. */
  readonly excerpt: string
}

export interface TextMatcher {
  /** Returns the rules that any of the texts breaks, each once, in their order. */
  match(texts: readonly string[]): readonly Match[]
  /** Number of patterns, at least 1: the size of the matcher in a cache. */
  readonly weight: number
}

const MAX_EXCERPT_CHARACTERS = 100

/** Finds the excerpt of a text that breaks a rule. */
type Check = (text: string, links: TextLinks) => string | undefined

interface NumberedCheck {
  /** Index of the rule. */
  readonly rule: number
  readonly check: Check
}

/**
 * Compiles rules into one matcher, in slices between which the event loop runs.
 * @param own the origin of this server and invite codes of the space, to which links are allowed
 */
export async function compileMatcher(rules: readonly TextRule[], own: OwnServer): Promise<TextMatcher> {
  const lists = rules.map(({ trigger }) => ({
    words: trigger.type === 'words' ? (trigger.words ?? []) : [],
    allowed: trigger.type === 'words' ? (trigger.allowed ?? []) : [],
  }))
  const checks = rules.flatMap(({ trigger }, rule) => {
    const check = checkOf(trigger, own)
    return check === undefined ? [] : [{ rule, check }]
  })
  return new CompiledRules({
    ids: rules.map(({ id }) => id),
    checks,
    words: await compileWords(lists),
    weight: weightOf(rules),
  })
}

class CompiledRules implements TextMatcher {
  readonly weight: number
  readonly #ids: readonly string[]
  readonly #checks: readonly NumberedCheck[]
  readonly #words: WordMatcher

  constructor({
    ids,
    checks,
    words,
    weight,
  }: { ids: string[]; checks: NumberedCheck[]; words: WordMatcher; weight: number }) {
    this.#ids = ids
    this.#checks = checks
    this.#words = words
    this.weight = weight
  }

  match(texts: readonly string[]): readonly Match[] {
    const excerpts = new Map<number, string>()
    for (const text of texts) {
      this.#findWords(text, excerpts)
      if (this.#checks.length > 0) this.#check(text, excerpts)
    }
    const inOrder = [...excerpts].sort(([one], [other]) => one - other)
    return inOrder.map(([rule, excerpt]) => ({ ruleId: this.#ids[rule] ?? '', excerpt }))
  }

  #findWords(text: string, excerpts: Map<number, string>): void {
    for (const { list, span, text: read } of this.#words.find(text))
      if (!excerpts.has(list)) excerpts.set(list, cut(read, span))
  }

  #check(text: string, excerpts: Map<number, string>): void {
    const links = new TextLinks(text)
    for (const { rule, check } of this.#checks) {
      const excerpt = excerpts.has(rule) ? undefined : check(text, links)
      if (excerpt !== undefined) excerpts.set(rule, excerpt)
    }
  }
}

/** Returns undefined for word rules, because one automaton checks all of them together. */
function checkOf(trigger: AutomodTrigger, own: OwnServer): Check | undefined {
  const { type, list, hosts = [], percent = 100, min_letters = 1 } = trigger
  if (type === 'links' && list !== undefined) {
    const rule = new LinkRule({ list, hosts }, own)
    return (text, links) => cutFound(text, rule.find(links))
  }
  if (type === 'invites') return (text, links) => cutFound(text, findInvite(links, own))
  if (type !== 'capitals') return undefined
  return (text) =>
    isShouted(text, percent, min_letters) ? cut(text, { start: 0, end: text.length }) : undefined
}

function cutFound(text: string, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : cut(text, span)
}

function cut(text: string, { start, end }: Span): string {
  const part = text.slice(start, Math.min(end, start + 2 * MAX_EXCERPT_CHARACTERS))
  return Array.from(part).slice(0, MAX_EXCERPT_CHARACTERS).join('')
}

function weightOf(rules: readonly TextRule[]): number {
  const patterns = rules.map(({ trigger: { words = [], allowed = [], hosts = [] } }) => {
    return words.length + allowed.length + hosts.length
  })
  return Math.max(
    1,
    patterns.reduce((sum, count) => sum + count, 0),
  )
}
