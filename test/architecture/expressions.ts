import { expressionsIn, type Found } from './expressions/collecting.ts'
import { findSlowInput } from './expressions/growth.ts'
import { type Rule, sourceRule } from './rule.ts'
import { type Source, type Violation, violationAt } from './source.ts'

/**
 * Any regular expression may read hostile input, now or later. Each is tried with inputs derived from its pattern. An expression
 * with quadratic time blocks the event loop for 300 ms on a header of 16 KiB.
 */
export const expressionsAreLinear = sourceRule('regular expressions take linear time', (source) =>
  expressionsIn(source).flatMap((found) => slownessOf(source, found)),
)

export const expressionRules: readonly Rule[] = [expressionsAreLinear]

function slownessOf(source: Source, { node, pattern, flags }: Found): Violation[] {
  const slow = findSlowInput(new RegExp(pattern, flags))
  if (slow === undefined) return []
  const input = `${JSON.stringify(slow.prefix)} + ${JSON.stringify(slow.pump)} again and again`
  const message = `/${pattern}/ takes more than linear time on ${input} + ${JSON.stringify(slow.suffix)}`
  return [violationAt(source, node, message)]
}
