import type { MemberListUpdate } from '@foyer/protocol/members'

/** Heights in rem, matching the stylesheet. */
export const HEADING = 2
export const ROW = 2.75
/** Members per requested range, the most the server allows. */
const CHUNK = 100
/** Rows rendered beyond each edge of the view, to avoid gaps while scrolling. */
const SPARE = 8

/** A group of members and its position in the list. */
export interface ListSection {
  readonly id: string
  readonly count: number
  /** Index of its first member, counted from 0 over all groups. */
  readonly first: number
  /** Top of its heading, in rem from the top of the list. */
  readonly top: number
}

export interface ListLayout {
  readonly sections: readonly ListSection[]
  readonly count: number
  /** Height in rem. */
  readonly height: number
}

/** A range of rows, both ends included. Empty if `to` is less than `from`. */
export interface Span {
  readonly from: number
  readonly to: number
}

export function layOut(groups: MemberListUpdate['groups']): ListLayout {
  let [first, top] = [0, 0]
  const sections = groups.map(({ id, count }) => {
    const section = { id, count, first, top }
    first += count
    top += HEADING + count * ROW
    return section
  })
  return { sections, count: first, height: top }
}

/** Returns the rows between two heights in rem, and a few more on each side. */
export function rowsIn({ sections, count }: ListLayout, top: number, bottom: number): Span {
  const indexAt = (height: number): number => {
    const section = sections.findLast((candidate) => candidate.top <= height) ?? sections[0]
    if (section === undefined) return 0
    const row = Math.floor((height - section.top - HEADING) / ROW)
    return section.first + Math.min(section.count - 1, Math.max(0, row))
  }
  return {
    from: Math.max(0, indexAt(top) - SPARE),
    to: Math.min(count - 1, indexAt(bottom) + SPARE),
  }
}

/** Returns the top of a row, in rem from the top of the list. */
export function topOf({ sections }: ListLayout, index: number): number {
  const section = sections.findLast((candidate) => candidate.first <= index)
  return section === undefined ? 0 : section.top + HEADING + (index - section.first) * ROW
}

/** Returns the ranges to request for a span. They are whole chunks, so that small scrolls request nothing new. */
export function rangesFor({ from, to }: Span, maxRanges: number): [number, number][] {
  const [first, last] = [Math.floor(from / CHUNK), Math.floor(Math.max(from, to) / CHUNK)]
  return Array.from({ length: Math.min(maxRanges, last - first + 1) }, (_, index) => {
    const start = (first + index) * CHUNK
    return [start, start + CHUNK - 1]
  })
}
