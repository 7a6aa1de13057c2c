import type { RowHeights } from './row-heights.ts'
import { type Item, rowInGap } from './row-window.ts'
import { isStop } from './rows.ts'

/** A row and how far below the top of the view it begins. */
export interface Place {
  readonly key: string
  readonly offset: number
}

/** Where the reader is: at the end, following it, or by rows that are in view, the one that counts first. */
export type Reading = { readonly at: 'end' } | { readonly at: 'rows'; readonly places: readonly Place[] }

/** What scrolls, and the list in it. */
export interface ListElements {
  readonly box: HTMLElement
  readonly list: HTMLElement
}

/** Within this of the end one reads along: what comes is followed. */
const BOTTOM_PX = 48
/** So near to where the shown rows end others are shown. */
const MARGIN_PX = 600

/**
 * The reader's place in a list that grows and shrinks at both ends and whose rows change their heights: at the end it
 * follows, elsewhere the row at the top of the view stays where it is. By hand, because not all browsers anchor scrolling,
 * and none at the top.
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
  /** What was in view at the end, for who leaves it. */
  #atEnd: readonly Place[] = []

  constructor({ box, list }: ListElements, heights: RowHeights, reading: Reading) {
    this.#box = box
    this.#list = list
    this.#heights = heights
    this.reading = reading
  }

  /**
   * After every change of what is shown, before it is painted.
   * @param isPresent whether the list's end is the end of all there is: only that is followed
   */
  show(items: readonly Item[], isPresent: boolean): void {
    this.#items = items
    this.#isPresent = isPresent
    const isLost = items.length > 0 && this.reading.at === 'rows' && this.center === null
    if (isLost) this.reading = { at: 'end' }
    this.keep()
  }

  /** Has the reader's place where it was. */
  keep(): void {
    const box = this.#box
    if (this.#width !== box.clientWidth) this.#heights.forget()
    this.#width = box.clientWidth
    this.#measure()
    this.#followUnheard()
    // Who is nearly at the end is not moved until something comes.
    const isSame = this.#shape === shapeOf(box)
    if (this.reading.at === 'end') box.scrollTop = isSame ? box.scrollTop : box.scrollHeight
    else this.#restore(this.reading.places)
    this.#remember()
  }

  /** Takes in that the view was scrolled. */
  scrolled(): void {
    // Told late of what was done here, when the sizes are others already: it was not the reader.
    if (this.#shape !== shapeOf(this.#box)) return this.keep()
    this.reading = this.#find()
    this.#remember()
  }

  /** Has a row begin at a share of the view's height, or stand in its middle. False where it is not shown yet. */
  place(key: string, share: number | 'middle'): boolean {
    const element = this.elementOf(key)
    if (element === null) return false
    const { clientHeight } = this.#box
    const middle = Math.max(0, (clientHeight - element.getBoundingClientRect().height) / 2)
    const offset = share === 'middle' ? middle : clientHeight * share
    this.reading = { at: 'rows', places: [{ key, offset }] }
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

  /** Where a row is: one that is not shown is where its gap is. */
  sideOf(key: string): 'above' | 'in view' | 'below' | null {
    const rect = this.#list.children[this.#indexOf(key)]?.getBoundingClientRect()
    const view = this.#box.getBoundingClientRect()
    if (rect === undefined) return null
    if (rect.bottom <= view.top) return 'above'
    return rect.top >= view.bottom ? 'below' : 'in view'
  }

  /** Whether a gap is in view, or nearly. */
  gapIsNear(marginPx = MARGIN_PX): boolean {
    const view = this.#box.getBoundingClientRect()
    return this.#items.some((item, index) => {
      const rect = item.kind === 'gap' ? this.#list.children[index]?.getBoundingClientRect() : undefined
      return rect !== undefined && rect.bottom > view.top - marginPx && rect.top < view.bottom + marginPx
    })
  }

  /** The row that the shown ones should be about; null for the last. */
  get center(): string | null {
    if (this.reading.at === 'end') return null
    return this.reading.places.find(({ key }) => this.#indexOf(key) !== -1)?.key ?? null
  }

  #indexOf(key: string): number {
    return this.#items.findIndex(
      (item) => item.key === key || (item.kind === 'gap' && item.rows.some((row) => row.key === key)),
    )
  }

  #remember(): void {
    this.#shape = shapeOf(this.#box)
    this.#top = this.#box.scrollTop
    this.#atEnd = this.reading.at === 'end' ? this.#findPlaces() : []
  }

  /** The reader scrolled, and what is shown changed before that was told: they were where they were without the change. */
  #followUnheard(): void {
    const moved = this.#box.scrollTop - this.#top
    // A list that grew shorter is moved by the browser to its end.
    const isClamped = moved < 0 && this.below < 1
    if (moved === 0 || isClamped) return
    const before = this.reading.at === 'end' ? this.#atEnd : this.reading.places
    const places = before.map(({ key, offset }) => ({ key, offset: offset - moved }))
    this.reading = { at: 'rows', places }
  }

  /** Margins included: a row reaches from the end of the one before to its own. */
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
    return { at: 'rows', places: this.#findPlaces() }
  }

  #findPlaces(): Place[] {
    const top = this.#box.getBoundingClientRect().top
    const bottom = top + this.#box.clientHeight
    const places: Place[] = []
    const cut: Place[] = []
    const guessed: Place[] = []
    for (const [index, item] of this.#items.entries()) {
      const rect = this.#list.children[index]?.getBoundingClientRect()
      if (rect === undefined || rect.bottom <= top || rect.top >= bottom) continue
      // What begins above the view may grow there, unseen: what begins in it must not be moved by that.
      const place = this.#placeIn(item, rect.top - top)
      if (place === null) continue
      // Nor by what stands in a gap until it is seen.
      if (item.kind === 'gap') guessed.push(place)
      else (place.offset < 0 ? cut : places).push(place)
    }
    return [...places, ...cut, ...guessed]
  }

  #placeIn(item: Item, offset: number): Place | null {
    if (item.kind === 'gap') {
      const found = rowInGap(item.rows, Math.max(0, -offset), this.#heights.of)
      return found && { key: found.key, offset: found.offset + Math.max(0, offset) }
    }
    const isLasting = item.row.kind === 'outgoing' || isStop(item.row)
    return isLasting ? { key: item.key, offset } : null
  }

  #restore(places: readonly Place[]): void {
    const shown = places.find(({ key }) => this.elementOf(key) !== null)
    const element = shown && this.elementOf(shown.key)
    if (shown === undefined || element === null || element === undefined) return
    const moved = element.getBoundingClientRect().top - this.#box.getBoundingClientRect().top - shown.offset
    if (Math.abs(moved) > 0.5) this.#box.scrollTop += moved
  }
}

function shapeOf({ clientHeight, scrollHeight }: HTMLElement): string {
  return `${clientHeight} of ${scrollHeight}`
}
