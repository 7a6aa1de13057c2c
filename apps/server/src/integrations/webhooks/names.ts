import { foldName } from '@foyer/protocol/words'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { hasMemberNamed } from './queries.ts'

/** Pairs of a letter or digit and the Latin letter that it looks like. */
const LOOKALIKES = [
  'аa вb еe нh іi јj кk ӏl мm оo рp сc ѕs тt уy хx ԁd һh ԛq ԝw',
  'αa βb εe ηn ιi κk νv οo ρp τt υu χx',
  'ıi ɑa ɡg 0o 1l',
]
const LETTERS = new Map(
  LOOKALIKES.flatMap((line) => line.split(' ')).map(([from = '', to = '']) => [from, to]),
)
const INVISIBLE = /[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu

/** Marks a name that is or looks like a member's: integrations may use any name. */
export async function markedName(database: Queryable, spaceId: string, name: string): Promise<string> {
  return (await hasMemberNamed(database, spaceId, keysOf(name))) ? `${name} (webhook)` : name
}

/** Returns the forms of a name to compare with members' folded names. */
function keysOf(name: string): string[] {
  const visible = foldName(name.replace(INVISIBLE, '').replace(/\s+/g, ' '))
  const latin = Array.from(visible, (letter) => LETTERS.get(letter) ?? letter).join('')
  return [...new Set([foldName(name), visible, latin])]
}
