import type { StateBlock } from 'markdown-it'

/**
 * Block rules for chat: quotes, list items and headings end with their line, and a fence can close anywhere in a line.
 * The rules of markdown-it are for documents, where the next line still belongs to a quote.
 */

const FENCE = '```'
const LANGUAGE = /^[\w+#.-]{0,24}$/

/** A code block from three backticks at the start of a line to the next three anywhere. If unclosed, it is plain text. */
export function fence(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const from = startOf(state, start)
  if (!state.src.startsWith(FENCE, from) || isIndented(state, start)) return false
  const info = state.src.slice(from + FENCE.length, state.eMarks[start]).trim()
  if (info.includes('`')) return false
  const closing = closingLine(state, start + 1, end)
  if (closing === -1) return false
  if (silent) return true
  const token = state.push('fence', 'code', 0)
  const isLanguage = LANGUAGE.test(info)
  token.info = isLanguage ? info : ''
  token.content = (isLanguage ? '' : `${info}\n`) + textOf(state, start + 1, closing)
  token.map = [start, closing + 1]
  state.line = afterFence(state, closing)
  return true
}

function closingLine(state: StateBlock, from: number, end: number): number {
  for (let line = from; line < end; line += 1) {
    if (lineOf(state, line).includes(FENCE)) return line
  }
  return -1
}

function textOf(state: StateBlock, from: number, closing: number): string {
  const whole = state.getLines(from, closing, state.blkIndent, true)
  const last = lineOf(state, closing)
  return (whole + last.slice(0, last.indexOf(FENCE))).replace(/\n$/, '')
}

/** Returns the line after a code block. Text after the closing backticks becomes a line of its own. */
function afterFence(state: StateBlock, closing: number): number {
  const line = lineOf(state, closing)
  const rest = line.slice(line.indexOf(FENCE)).replace(/^`+\s*/, '')
  if (rest === '') return closing + 1
  state.bMarks[closing] = (state.eMarks[closing] ?? 0) - rest.length
  state.tShift[closing] = 0
  state.sCount[closing] = state.blkIndent
  return closing
}

const HEADING = /^(#{1,3})[ \t]+(?=\S)/

export function heading(state: StateBlock, start: number, _end: number, silent: boolean): boolean {
  const line = lineOf(state, start).trimStart()
  const [marks, signs = ''] = HEADING.exec(line) ?? []
  if (marks === undefined || isIndented(state, start)) return false
  if (silent) return true
  const open = state.push('heading_open', 'h', 1)
  open.markup = signs
  open.map = [start, start + 1]
  pushInline(state, line.slice(marks.length).trim())
  state.push('heading_close', 'h', -1)
  state.line = start + 1
  return true
}

/** Consecutive lines that begin with `>`. */
export function blockquote(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (!isQuoted(state, start)) return false
  if (silent) return true
  const next = endOfQuote(state, start, end)
  const before = marksOf(state, start, next)
  for (let line = start; line < next; line += 1) strip(state, line)
  const { blkIndent, lineMax, parentType } = state
  state.blkIndent = 0
  state.lineMax = next
  state.parentType = 'blockquote'
  state.push('blockquote_open', 'blockquote', 1).map = [start, next]
  state.md.block.tokenize(state, start, next)
  state.push('blockquote_close', 'blockquote', -1)
  Object.assign(state, { blkIndent, lineMax, parentType, line: next })
  for (const [index, marks] of before.entries()) setMarks(state, start + index, marks)
  return true
}

/** Lines up to an empty line or another block. */
export function paragraph(state: StateBlock, start: number, end: number): boolean {
  const others = state.md.block.ruler.getRules('paragraph')
  let next = start + 1
  while (next < end && !state.isEmpty(next) && !isOutside(state, next)) {
    const line = next
    if (others.some((rule) => rule(state, line, end, true))) break
    next += 1
  }
  const open = state.push('paragraph_open', 'p', 1)
  open.map = [start, next]
  pushInline(state, state.getLines(start, next, state.blkIndent, false).trim())
  state.push('paragraph_close', 'p', -1)
  state.line = next
  return true
}

/** Returns true for a line that is not indented, which ends a list item. */
function isOutside(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) < state.blkIndent
}

function pushInline(state: StateBlock, content: string): void {
  const token = state.push('inline', '', 0)
  token.content = content
  token.children = []
}

function isQuoted(state: StateBlock, line: number): boolean {
  return state.src[startOf(state, line)] === '>' && !isIndented(state, line) && !isOutside(state, line)
}

function endOfQuote(state: StateBlock, start: number, end: number): number {
  let line = start + 1
  while (line < end && isQuoted(state, line)) line += 1
  return line
}

type Marks = readonly [number, number, number, number]

function marksOf(state: StateBlock, start: number, end: number): Marks[] {
  const lines = Array.from({ length: end - start }, (_, index) => start + index)
  return lines.map((line) => [
    state.bMarks[line] ?? 0,
    state.tShift[line] ?? 0,
    state.sCount[line] ?? 0,
    state.bsCount[line] ?? 0,
  ])
}

function setMarks(state: StateBlock, line: number, [begin, shift, indent, before]: Marks): void {
  state.bMarks[line] = begin
  state.tShift[line] = shift
  state.sCount[line] = indent
  state.bsCount[line] = before
}

/** Moves the start of the line after its `>` and one space. */
function strip(state: StateBlock, line: number): void {
  const marker = startOf(state, line) + 1
  const begin = state.src[marker] === ' ' && marker < (state.eMarks[line] ?? 0) ? marker + 1 : marker
  const rest = state.src.slice(begin, state.eMarks[line])
  const indent = rest.length - rest.trimStart().length
  setMarks(state, line, [begin, indent, indent, 0])
}

function startOf(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line])
}

/** Returns true for a line with four or more spaces, which markdown-it would take for indented code. */
function isIndented(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4
}
