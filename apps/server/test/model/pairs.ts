import { isDeepStrictEqual } from 'node:util'
import { type Change, type Dice, planChange } from './changes.ts'
import type { SpaceModel } from './space-model.ts'

/**
 * Whether two changes are the same requests with the same answers, and leave the same behind, in either order: then they
 * may be made at once.
 */
export function mayCross(space: SpaceModel, people: readonly string[], pair: readonly [Dice, Dice]): boolean {
  const [one, other] = pair
  const forwards = play(space, people, [one, other])
  const backwards = play(space, people, [other, one])
  return (
    isDeepStrictEqual(forwards.outcomes, backwards.outcomes) &&
    isDeepStrictEqual(forwards.left, backwards.left)
  )
}

/** What a change asks and is answered, by the dice that it is made of, and what is left of the space. */
function play(space: SpaceModel, people: readonly string[], order: readonly Dice[]) {
  const copy = structuredClone(space)
  const outcomes = order.map((dice) => {
    const change = planChange(copy, people, dice)
    change.apply(`made by ${JSON.stringify(dice)}`)
    return [dice, outcomeOf(change)] as const
  })
  // Overwrites have no order.
  return { outcomes: new Map(outcomes), left: { ...copy, overwrites: new Set(copy.overwrites) } }
}

function outcomeOf({ actor, method, path, body, status }: Change) {
  return { actor, method, path, body, status }
}
