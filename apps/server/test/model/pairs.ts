import { isDeepStrictEqual } from 'node:util'
import { type Change, type Dice, planChange } from './changes.ts'
import type { SpaceModel } from './space-model.ts'

/** Returns the changes to make at the same time; an empty list if a user joins instead. */
export function chooseChanges(
  space: SpaceModel,
  people: readonly string[],
  [dice, other]: readonly [Dice, Dice | null],
): Dice[] {
  if (dice.kind % 12 === 11) return []
  return other !== null && mayCross(space, people, [dice, other]) ? [dice, other] : [dice]
}

/** Returns the space as it is, and as each of the changes alone would leave it: any of them may take effect first. */
export function statesDuring(
  space: SpaceModel,
  people: readonly string[],
  changes: readonly Dice[],
): SpaceModel[] {
  return [[], ...changes.map((change) => [change])].map((order) => play(space, people, order).left)
}

/**
 * Returns true if two changes have equal requests, results and effects in either order. They can then be made at the
 * same time.
 */
function mayCross(space: SpaceModel, people: readonly string[], pair: readonly [Dice, Dice]): boolean {
  const [one, other] = pair
  const forwards = play(space, people, [one, other])
  const backwards = play(space, people, [other, one])
  return (
    isDeepStrictEqual(forwards.outcomes, backwards.outcomes) &&
    isDeepStrictEqual(withoutOrder(forwards.left), withoutOrder(backwards.left))
  )
}

/** Returns the space for a comparison in which the order of overwrites does not matter. */
function withoutOrder(space: SpaceModel) {
  return { ...space, overwrites: new Set(space.overwrites) }
}

/** Applies the changes in this order to a copy of the space. Returns the outcome of each and the final space. */
function play(space: SpaceModel, people: readonly string[], order: readonly Dice[]) {
  const copy = structuredClone(space)
  const outcomes = order.map((dice) => {
    const change = planChange(copy, people, dice)
    change.apply(`made by ${JSON.stringify(dice)}`)
    return [dice, outcomeOf(change)] as const
  })
  return { outcomes: new Map(outcomes), left: copy }
}

function outcomeOf({ actor, method, path, body, status }: Change) {
  return { actor, method, path, body, status }
}
