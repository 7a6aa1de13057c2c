import type { Rule } from './rule.ts'
import type { Violation } from './source.ts'

const SIDE = '(left|right)'
/** Properties that name a side of the screen, which must be mirrored in right-to-left languages. */
const PHYSICAL = [
  new RegExp(`(^|[\\s;{])${SIDE}:`),
  new RegExp(`(margin|padding|border|scroll-margin|scroll-padding)-${SIDE}(-\\w+)?:`),
  new RegExp(`border-(top|bottom)-${SIDE}-radius:`),
  new RegExp(`(text-align|float|clear): ${SIDE}\\b`),
]
const FOUR_SIDES = /(?:margin|padding|inset|border-radius): ([^;]+);/
/** Matches horizontal moves without the token `--forward`, which follows the direction of the text. */
const MOVE = /(translateX|inset -?[\d.]+(px|rem) 0 0)(?!.*var\(--forward\))/
const INSTEAD =
  'a side of the screen: name the start and the end of a line (margin-inline-start, inset-inline-end, text-align: start)'

/** Matches moves by half of the width, which center an element in both text directions. */
const NEUTRAL = /translateX\(-50%\)/

export const noPhysicalSides: Rule = {
  name: 'styles name the start and the end of a line, not left and right',
  check: ({ files }) =>
    Object.entries(files)
      .filter(([path]) => path.startsWith('apps/web/src/') && path.endsWith('.css'))
      .flatMap(([path, text]) => sidesIn(path, text)),
}

export const styleRules: readonly Rule[] = [noPhysicalSides]

function sidesIn(path: string, text: string): Violation[] {
  return text
    .split('\n')
    .flatMap((line, index) => (isPhysical(line) ? [{ path, line: index + 1, message: INSTEAD }] : []))
}

function isPhysical(line: string): boolean {
  const isSide = PHYSICAL.some((pattern) => pattern.test(line))
  return isSide || isLopsided(line) || (MOVE.test(line) && !NEUTRAL.test(line))
}

/** Compares right and left: the second and fourth of four sides. Of four corners, the first is the top left one. */
function isLopsided(line: string): boolean {
  const [, values = ''] = FOUR_SIDES.exec(line) ?? []
  const [first, second, third, fourth] = withoutSpacesInside(values).split(' ')
  if (fourth === undefined) return false
  return line.includes('border-radius') ? first !== second || third !== fourth : second !== fourth
}

function withoutSpacesInside(values: string): string {
  let inside = values
  for (let before = ''; before !== inside; ) {
    before = inside
    inside = inside.replace(/\(([^()]*)\)/g, (_whole, within: string) => `[${within.replaceAll(' ', '')}]`)
  }
  return inside
}
