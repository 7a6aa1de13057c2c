import type { MemberListUpdate } from '@foyer/protocol/members'

/** Heights in rem, as the style sheet has them. */
export const HEADING = 2
export const ROW = 2.75
/** Members that are asked for at once: the most that a range may have. */
const CHUNK = 100
/** Rows beyond the edges that are drawn, so that none is missing while one scrolls. */
const SPARE = 8

/** A group of members where it stands in the list. */
export interface ListSection {
  readonly id: string
  readonly count: number
  /** The place of its first member, counted from 0 over all groups. */
  readonly first: number
  /** Of its heading, in rem from the top of the list. */
  readonly top: number
}

export interface ListLayout {
  readonly sections: readonly ListSection[]
  readonly count: number
  /** In rem. */
  readonly height: number
}

/** A part of the list, both ends included. Nothing where the last is before the first. */
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

/** The places of which something is between two heights in rem, and a few more. */
export function placesIn({ sections, count }: ListLayout, top: number, bottom: number): Span {
  const placeAt = (height: number): number => {
    const section = sections.findLast((candidate) => candidate.top <= height) ?? sections[0]
    if (section === undefined) return 0
    const row = Math.floor((height - section.top - HEADING) / ROW)
    return section.first + Math.min(section.count - 1, Math.max(0, row))
  }
  return {
    from: Math.max(0, placeAt(top) - SPARE),
    to: Math.min(count - 1, placeAt(bottom) + SPARE),
  }
}

/** Where a member's row is, in rem from the top of the list. */
export function topOf({ sections }: ListLayout, place: number): number {
  const section = sections.findLast((candidate) => candidate.first <= place)
  return section === undefined ? 0 : section.top + HEADING + (place - section.first) * ROW
}

/** What to ask the server for so that these are there: whole chunks, so that little steps ask for nothing new. */
export function rangesFor({ from, to }: Span, maxRanges: number): [number, number][] {
  const [first, last] = [Math.floor(from / CHUNK), Math.floor(Math.max(from, to) / CHUNK)]
  return Array.from({ length: Math.min(maxRanges, last - first + 1) }, (_, index) => {
    const start = (first + index) * CHUNK
    return [start, start + CHUNK - 1]
  })
}
