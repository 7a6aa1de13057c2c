import { expressionsAreLinear } from '../expressions.ts'
import type { Plant } from '../rule.ts'

export const expressionPlants: readonly Plant[] = [
  plant(
    'two runs of blanks touch in an expression',
    String.raw`export const label = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i`,
    String.raw`export const label = /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i`,
  ),
  plant(
    'an expression is tried from each letter of a run',
    String.raw`export const bare = (url: string) => url.replace(/\/+$/, '')`,
    String.raw`export const bare = (url: string) => url.replace(/(?<!\/)\/+$/, '')`,
  ),
  plant(
    'an expression looks for a mark that closes another from each of them',
    String.raw`export const strong = /(\*\*|__|\*)(?=\S)(.+?)(?<=\S)\1/g`,
    String.raw`export const strong = /(\*\*|__|\*)(?=\S)([^*_ ]+)\1/g`,
  ),
  plant(
    'an expression takes a thousand times as long as it should, though not more',
    String.raw`export const strong = /\*(?=\S)[^\n]{1,2000}?(?<=\S)\*~/g`,
    String.raw`export const strong = /\*(?=\S)[^\n*]{1,2000}(?<=\S)\*~/g`,
  ),
  plant(
    'an expression takes exponential time',
    'export const as = /^(?:a|aa)+$/',
    'export const as = /^(?:aa?)$/',
  ),
  plant(
    'an expression is put together from constants',
    "const NAME = '[a-z]+'\nexport const host = new RegExp(`^$" + '{NAME}[a-z]*[.]$`)',
    "const NAME = '[a-z]+'\nexport const host = new RegExp(`^$" + '{NAME}[.]$`)',
    2,
  ),
  plant(
    'a schema has such a pattern',
    "export const Language = Type.String({ pattern: '^[a-z]+[a-z-]*[.]$' })",
    "export const Language = Type.String({ pattern: '^[a-z][a-z-]*[.]$' })",
  ),
]

function plant(because: string, bad: string, good: string, line = 1): Plant {
  const path = 'apps/server/src/a.ts'
  return {
    rule: expressionsAreLinear,
    because,
    breaks: { [path]: bad },
    at: [`${path}:${line}`],
    keeps: { [path]: good },
  }
}
