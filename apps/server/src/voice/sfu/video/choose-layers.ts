// `height` in pixels, `bitrate` in bits per second.
export interface Layer {
  readonly height: number
  readonly bitrate: number
}

// `layers` are the layers that arrive now, from low to high. An undefined height requests the highest layer, 0 requests
// none.
export interface WantedPicture {
  readonly wantedHeight: number | undefined
  readonly layers: readonly Layer[]
}

// Returns the index of each picture's layer; undefined if none is forwarded. Pictures are in order of importance. First, as many
// pictures as fit into the budget get their lowest layer, because a small picture is better than none. Then the most important
// pictures are raised.
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

// Returns the lowest layer that fills the height at which the picture is shown. The viewer would scale down any higher
// layer.
function highestWanted({ wantedHeight, layers }: WantedPicture): number {
  const filling = wantedHeight === undefined ? -1 : layers.findIndex((layer) => layer.height >= wantedHeight)
  return filling === -1 ? layers.length - 1 : filling
}
