/** A place in groups of tiles that stand in rows of so many columns. */
export interface GridPlace {
  readonly group: number
  readonly index: number
}

export interface Grid {
  /** How many tiles each group has. */
  readonly sizes: readonly number[]
  readonly columns: number
}

const steps: Readonly<Record<string, (grid: Grid, place: GridPlace) => GridPlace | null>> = {
  ArrowLeft: before,
  ArrowRight: after,
  ArrowUp: above,
  ArrowDown: below,
  Home: (_grid, { group }) => ({ group, index: 0 }),
  End: ({ sizes }, { group }) => ({ group, index: (sizes[group] ?? 1) - 1 }),
}

/** Where a key leads from a place: null out of the grid, undefined for a key that leads nowhere. */
export function moveInGrid(grid: Grid, place: GridPlace, key: string): GridPlace | null | undefined {
  return steps[key]?.(grid, place)
}

/** The first place of the grid, null in an empty one. */
export function firstPlace({ sizes }: Grid): GridPlace | null {
  const group = sizes.findIndex((size) => size > 0)
  return group === -1 ? null : { group, index: 0 }
}

function before({ sizes }: Grid, { group, index }: GridPlace): GridPlace | null {
  if (index > 0) return { group, index: index - 1 }
  const previous = previousGroup(sizes, group)
  return previous === -1 ? { group, index } : { group: previous, index: (sizes[previous] ?? 1) - 1 }
}

function after({ sizes }: Grid, { group, index }: GridPlace): GridPlace | null {
  if (index + 1 < (sizes[group] ?? 0)) return { group, index: index + 1 }
  const next = nextGroup(sizes, group)
  return next === -1 ? { group, index } : { group: next, index: 0 }
}

/** From the first row it leads out of the grid: the search is above it. */
function above({ sizes, columns }: Grid, { group, index }: GridPlace): GridPlace | null {
  if (index >= columns) return { group, index: index - columns }
  const previous = previousGroup(sizes, group)
  if (previous === -1) return null
  const last = (sizes[previous] ?? 1) - 1
  const lastRow = last - (last % columns)
  return { group: previous, index: Math.min(last, lastRow + (index % columns)) }
}

function below({ sizes, columns }: Grid, { group, index }: GridPlace): GridPlace {
  const last = (sizes[group] ?? 1) - 1
  const isInLastRow = index >= last - (last % columns)
  if (!isInLastRow) return { group, index: Math.min(last, index + columns) }
  const next = nextGroup(sizes, group)
  if (next === -1) return { group, index }
  return { group: next, index: Math.min((sizes[next] ?? 1) - 1, index % columns) }
}

function previousGroup(sizes: readonly number[], group: number): number {
  return sizes.findLastIndex((size, index) => index < group && size > 0)
}

function nextGroup(sizes: readonly number[], group: number): number {
  return sizes.findIndex((size, index) => index > group && size > 0)
}
