// `height` in pixels, `bitrate` in bits per second.
export interface Layer {
  readonly height: number
  readonly bitrate: number
}

// `layers` has only those that arrive, from low to high. No wanted height means the highest layer, 0 none at all.
export interface WantedPicture {
  readonly wantedHeight: number | undefined
  readonly layers: readonly Layer[]
}

// For each picture the index of its layer, or undefined when nothing is to be forwarded. Pictures stand in order of importance. As many
// as fit get their lowest layer first, because a small picture says more than none. Then the most important ones are raised.
export function chooseLayers(
  pictures: readonly WantedPicture[],
  budgetBps: number,
): readonly (number | undefined)[] {
  let left = budgetBps
  const lowest = pictures.map((picture) => {
    const layer = picture.wantedHeight === 0 ? undefined : picture.layers[0]
    if (layer === undefined || layer.bitrate > left) return undefined
    left -= layer.bitrate
    return layer
  })
  return pictures.map((picture, position) => {
    const given = lowest[position]
    if (given === undefined) return undefined
    const index = highestWithin(picture, left + given.bitrate)
    left += given.bitrate - (picture.layers[index]?.bitrate ?? given.bitrate)
    return index
  })
}

function highestWithin(picture: WantedPicture, budgetBps: number): number {
  const highest = highestWanted(picture)
  return Math.max(
    0,
    picture.layers.findLastIndex((layer, index) => index <= highest && layer.bitrate <= budgetBps),
  )
}

// The lowest layer that fills the height at which the picture is shown. More pixels would only be scaled down by the viewer.
function highestWanted({ wantedHeight, layers }: WantedPicture): number {
  const filling = wantedHeight === undefined ? -1 : layers.findIndex((layer) => layer.height >= wantedHeight)
  return filling === -1 ? layers.length - 1 : filling
}
