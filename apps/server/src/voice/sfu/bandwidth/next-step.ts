import { chooseLayers, type WantedPicture } from '../video/choose-layers.ts'

export interface NextStep {
  /** The rate of the layers that are chosen. */
  readonly chosenBps: number
  /** The rate with one picture raised by a layer; undefined if the viewer has all it wants. */
  readonly wantedBps: number | undefined
  /** The rate if every picture has the layer that the viewer wants. */
  readonly bestBps: number
}

/** Returns a viewer's rates: with the chosen layers, with the next layer of one picture, and with all that it wants. */
export function nextStep(
  pictures: readonly WantedPicture[],
  chosen: readonly (number | undefined)[],
): NextStep {
  const best = chooseLayers(pictures, Number.POSITIVE_INFINITY)
  const rateOf = (position: number, layer: number | undefined) =>
    layer === undefined ? 0 : (pictures[position]?.layers[layer]?.bitrate ?? 0)
  const sumOf = (layers: readonly (number | undefined)[]) =>
    layers.reduce<number>((sum, layer, position) => sum + rateOf(position, layer), 0)
  const chosenBps = sumOf(chosen)
  const raises = pictures.flatMap((_, position) => {
    const [now, wanted] = [chosen[position], best[position]]
    if (wanted === undefined || (now ?? -1) >= wanted) return []
    return [rateOf(position, now === undefined ? 0 : now + 1) - rateOf(position, now)]
  })
  const wantedBps = raises.length === 0 ? undefined : chosenBps + Math.min(...raises)
  return { chosenBps, wantedBps, bestBps: sumOf(best) }
}
