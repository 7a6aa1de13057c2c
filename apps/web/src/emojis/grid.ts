/** Position of a tile in groups of rows. */
export interface GridPosition {
  readonly group: number
  readonly index: number
}

export interface Grid {
  /** Number of tiles per group. */
  readonly sizes: readonly number[]
  readonly columns: number
}

const steps: Readonly<Record<string, (grid: Grid, position: GridPosition) => GridPosition | null>> = {
  ArrowLeft: before,
  ArrowRight: after,
  ArrowUp: above,
  ArrowDown: below,
  Home: (_grid, { group }) => ({ group, index: 0 }),
  End: ({ sizes }, { group }) => ({ group, index: (sizes[group] ?? 1) - 1 }),
}

/** Returns the position that a key moves to: null for leaving the grid, undefined for other keys. */
export function moveInGrid(grid: Grid, position: GridPosition, key: string): GridPosition | null | undefined {
  return steps[key]?.(grid, position)
}

/** Returns the first position, or null in an empty grid. */
export function firstPosition({ sizes }: Grid): GridPosition | null {
  const group = sizes.findIndex((size) => size > 0)
  return group === -1 ? null : { group, index: 0 }
}

function before({ sizes }: Grid, { group, index }: GridPosition): GridPosition | null {
  if (index > 0) return { group, index: index - 1 }
  const previous = previousGroup(sizes, group)
  return previous === -1 ? { group, index } : { group: previous, index: (sizes[previous] ?? 1) - 1 }
}

function after({ sizes }: Grid, { group, index }: GridPosition): GridPosition | null {
  if (index + 1 < (sizes[group] ?? 0)) return { group, index: index + 1 }
  const next = nextGroup(sizes, group)
  return next === -1 ? { group, index } : { group: next, index: 0 }
}

/** Returns null in the first row, because the search field is above it. */
function above({ sizes, columns }: Grid, { group, index }: GridPosition): GridPosition | null {
  if (index >= columns) return { group, index: index - columns }
  const previous = previousGroup(sizes, group)
  if (previous === -1) return null
  const last = (sizes[previous] ?? 1) - 1
  const lastRow = last - (last % columns)
  return { group: previous, index: Math.min(last, lastRow + (index % columns)) }
}

function below({ sizes, columns }: Grid, { group, index }: GridPosition): GridPosition {
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
