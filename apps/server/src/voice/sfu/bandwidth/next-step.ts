import { chooseLayers, type WantedPicture } from '../video/choose-layers.ts'

export interface NextStep {
  /** The rate of the layers that are chosen. */
  readonly chosenBps: number
  /** The rate with one picture raised by a layer; undefined if the viewer has all it wants. */
  readonly wantedBps: number | undefined
}

/** Returns a viewer's rate with the chosen layers, and the rate it needs for the next layer of one picture. */
export function nextStep(
  pictures: readonly WantedPicture[],
  chosen: readonly (number | undefined)[],
): NextStep {
  const best = chooseLayers(pictures, Number.POSITIVE_INFINITY)
  const rateOf = (position: number, layer: number | undefined) =>
    layer === undefined ? 0 : (pictures[position]?.layers[layer]?.bitrate ?? 0)
  const chosenBps = chosen.reduce<number>((sum, layer, position) => sum + rateOf(position, layer), 0)
  const raises = pictures.flatMap((_, position) => {
    const [now, wanted] = [chosen[position], best[position]]
    if (wanted === undefined || (now ?? -1) >= wanted) return []
    return [rateOf(position, now === undefined ? 0 : now + 1) - rateOf(position, now)]
  })
  return { chosenBps, wantedBps: raises.length === 0 ? undefined : chosenBps + Math.min(...raises) }
}
