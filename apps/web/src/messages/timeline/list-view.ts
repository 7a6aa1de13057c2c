import type { RowHeights } from './row-heights.ts'
import { type Item, rowInGap } from './row-window.ts'
import { isStop } from './rows.ts'

/** A row and its distance below the top of the view. */
export interface Anchor {
  readonly key: string
  readonly offset: number
}

/** Scroll position: at the end, following new rows, or given by the positions of visible rows, the best anchor first. */
export type Reading = { readonly at: 'end' } | { readonly at: 'rows'; readonly anchors: readonly Anchor[] }

/** The scrolling element and the list in it. */
export interface ListElements {
  readonly box: HTMLElement
  readonly list: HTMLElement
}

/** Distance from the end within which the view follows new messages. */
const BOTTOM_PX = 48
/** Distance from the end of the rendered rows at which more are rendered. */
const MARGIN_PX = 600

/**
 * Keeps the scroll position of a list that grows and shrinks at both ends and whose rows change height. At the end
 * it follows new messages; elsewhere the row at the top of the view stays in place. Not all browsers anchor
 * scrolling, and none do so at the top.
 */
export class ListView {
  reading: Reading
  readonly #heights: RowHeights
  readonly #box: HTMLElement
  readonly #list: HTMLElement
  #items: readonly Item[] = []
  #isPresent = true
  #shape = ''
  #width = 0
  #top = 0
  /** Visible rows while the view was at the end, used as anchors when it leaves the end. */
  #atEnd: readonly Anchor[] = []

  constructor({ box, list }: ListElements, heights: RowHeights, reading: Reading) {
    this.#box = box
    this.#list = list
    this.#heights = heights
    this.reading = reading
  }

  /**
   * Called after every change of the items, before painting.
   * @param isPresent true if the list ends with the newest message. Only then does the view follow the end
   */
  show(items: readonly Item[], isPresent: boolean): void {
    this.#items = items
    this.#isPresent = isPresent
    const isLost = items.length > 0 && this.reading.at === 'rows' && this.center === null
    if (isLost) this.reading = { at: 'end' }
    this.keep()
  }

  /** Restores the scroll position. */
  keep(): void {
    const box = this.#box
    if (this.#width !== box.clientWidth) this.#heights.forget()
    this.#width = box.clientWidth
    this.#measure()
    this.#followUnreported()
    // A view within `BOTTOM_PX` of the end moves to the end only when the height of the list or of the view has changed.
    const isSame = this.#shape === shapeOf(box)
    if (this.reading.at === 'end') box.scrollTop = isSame ? box.scrollTop : box.scrollHeight
    else this.#restore(this.reading.anchors)
    this.#remember()
  }

  /** Handles a scroll event. */
  scrolled(): void {
    // The event is late: the size has changed since, so the scrolling was not caused by the user.
    if (this.#shape !== shapeOf(this.#box)) return this.keep()
    this.reading = this.#find()
    this.#remember()
  }

  /** Scrolls a row to a share of the view's height below its top, or to its middle. Returns false if the row is not rendered. */
  scrollTo(key: string, share: number | 'middle'): boolean {
    const element = this.elementOf(key)
    if (element === null) return false
    const { clientHeight } = this.#box
    const middle = Math.max(0, (clientHeight - element.getBoundingClientRect().height) / 2)
    const offset = share === 'middle' ? middle : clientHeight * share
    this.reading = { at: 'rows', anchors: [{ key, offset }] }
    this.#top = this.#box.scrollTop
    this.keep()
    return true
  }

  /** Follows the end from now on. */
  toEnd(): void {
    this.reading = { at: 'end' }
    this.#top = this.#box.scrollTop
    this.#shape = ''
  }

  elementOf(key: string): HTMLElement | null {
    const index = this.#items.findIndex((item) => item.key === key)
    const element = this.#list.children[index]
    return element instanceof HTMLElement ? element : null
  }

  get atBottom(): boolean {
    return this.below < BOTTOM_PX
  }

  /** Pixels of the list above and below the view. */
  get above(): number {
    return this.#box.scrollTop
  }

  get below(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#box
    return scrollHeight - scrollTop - clientHeight
  }

  /** Returns the position of a row relative to the view. A row that is not rendered has the position of its gap. */
  sideOf(key: string): 'above' | 'in view' | 'below' | null {
    const rect = this.#list.children[this.#indexOf(key)]?.getBoundingClientRect()
    const view = this.#box.getBoundingClientRect()
    if (rect === undefined) return null
    if (rect.bottom <= view.top) return 'above'
    return rect.top >= view.bottom ? 'below' : 'in view'
  }

  /** Returns true if a gap is in view or within the margin. */
  gapIsNear(marginPx = MARGIN_PX): boolean {
    const view = this.#box.getBoundingClientRect()
    return this.#items.some((item, index) => {
      const rect = item.kind === 'gap' ? this.#list.children[index]?.getBoundingClientRect() : undefined
      return rect !== undefined && rect.bottom > view.top - marginPx && rect.top < view.bottom + marginPx
    })
  }

  /** Key of the row to render around; null for the last row. */
  get center(): string | null {
    if (this.reading.at === 'end') return null
    return this.reading.anchors.find(({ key }) => this.#indexOf(key) !== -1)?.key ?? null
  }

  #indexOf(key: string): number {
    return this.#items.findIndex(
      (item) => item.key === key || (item.kind === 'gap' && item.rows.some((row) => row.key === key)),
    )
  }

  #remember(): void {
    this.#shape = shapeOf(this.#box)
    this.#top = this.#box.scrollTop
    this.#atEnd = this.reading.at === 'end' ? this.#findAnchors() : []
  }

  /** Shifts the anchors if the user scrolled, but the items changed before the scroll event arrived. */
  #followUnreported(): void {
    const moved = this.#box.scrollTop - this.#top
    // When a list becomes shorter, the browser may have to scroll it to its new end.
    const isClamped = moved < 0 && this.below < 1
    if (moved === 0 || isClamped) return
    const before = this.reading.at === 'end' ? this.#atEnd : this.reading.anchors
    const anchors = before.map(({ key, offset }) => ({ key, offset: offset - moved }))
    this.reading = { at: 'rows', anchors }
  }

  /** Measures heights including margins: a row reaches from the end of the previous one to its own end. */
  #measure(): void {
    let end = this.#list.getBoundingClientRect().top
    for (const [index, item] of this.#items.entries()) {
      const bottom = this.#list.children[index]?.getBoundingClientRect().bottom ?? end
      if (item.kind === 'row') this.#heights.measured(item.key, bottom - end)
      end = bottom
    }
  }

  #find(): Reading {
    if (this.atBottom && this.#isPresent) return { at: 'end' }
    return { at: 'rows', anchors: this.#findAnchors() }
  }

  #findAnchors(): Anchor[] {
    const top = this.#box.getBoundingClientRect().top
    const bottom = top + this.#box.clientHeight
    const anchors: Anchor[] = []
    const cut: Anchor[] = []
    const guessed: Anchor[] = []
    for (const [index, item] of this.#items.entries()) {
      const rect = this.#list.children[index]?.getBoundingClientRect()
      if (rect === undefined || rect.bottom <= top || rect.top >= bottom) continue
      const anchor = this.#anchorIn(item, rect.top - top)
      if (anchor === null) continue
      // Prefers rows that begin in view, because a row cut off at the top may grow above it. Gaps, which are estimates, come last.
      if (item.kind === 'gap') guessed.push(anchor)
      else (anchor.offset < 0 ? cut : anchors).push(anchor)
    }
    return [...anchors, ...cut, ...guessed]
  }

  #anchorIn(item: Item, offset: number): Anchor | null {
    if (item.kind === 'gap') {
      const found = rowInGap(item.rows, Math.max(0, -offset), this.#heights.of)
      return found && { key: found.key, offset: found.offset + Math.max(0, offset) }
    }
    const isLasting = item.row.kind === 'outgoing' || isStop(item.row)
    return isLasting ? { key: item.key, offset } : null
  }

  #restore(anchors: readonly Anchor[]): void {
    const shown = anchors.find(({ key }) => this.elementOf(key) !== null)
    const element = shown && this.elementOf(shown.key)
    if (shown === undefined || element === null || element === undefined) return
    const moved = element.getBoundingClientRect().top - this.#box.getBoundingClientRect().top - shown.offset
    if (Math.abs(moved) > 0.5) this.#box.scrollTop += moved
  }
}

function shapeOf({ clientHeight, scrollHeight }: HTMLElement): string {
  return `${clientHeight} of ${scrollHeight}`
}
