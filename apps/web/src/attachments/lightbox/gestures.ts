import { isRightToLeft } from '#src/ui/direction.ts'
import type { Point } from './zoom.ts'

/** Callbacks for gestures by touch, mouse and wheel. Points are relative to the center of the element. */
export interface GestureListener {
  zoom(factor: number, point: Point): void
  move(by: Point): void
  /** Called when one finger swipes sideways. Direction 1 means the next picture. */
  swipe(direction: 1 | -1): void
  /** Called on a double click or double tap. */
  toggle(point: Point): void
  /** Called on a click or tap outside the picture. */
  dismiss(): void
}

const WHEEL_RATE = 0.0022
/** Browsers report pinching on a touchpad as wheel events with Ctrl, in small steps. */
const PINCH_RATE = 0.012
const SWIPE_PX = 56
/** Distance that a pointer may move during a click. */
const PRESS_PX = 6

/** Listens to gestures on an element. Returns a function that stops listening. */
export function listenToGestures(element: HTMLElement, listener: GestureListener): () => void {
  const gesture = new Gesture(element, listener)
  const listening = new AbortController()
  const { signal } = listening
  element.addEventListener('pointerdown', (event) => gesture.begin(event), { signal })
  element.addEventListener('pointermove', (event) => gesture.continue(event), { signal })
  element.addEventListener('pointerup', (event) => gesture.end(event), { signal })
  element.addEventListener('pointercancel', (event) => gesture.forget(event), { signal })
  element.addEventListener('dblclick', (event) => listener.toggle(gesture.pointOf(event)), { signal })
  // Not passive, so that it can keep the page from scrolling and zooming.
  element.addEventListener('wheel', (event) => gesture.wheel(event), { signal, passive: false })
  return () => listening.abort()
}

class Gesture {
  readonly #element: HTMLElement
  readonly #listener: GestureListener
  readonly #pointers = new Map<number, Point>()
  #start: Point | null = null
  #isBeside = false
  #travelled = 0

  constructor(element: HTMLElement, listener: GestureListener) {
    this.#element = element
    this.#listener = listener
  }

  begin(event: PointerEvent): void {
    if (event.button !== 0) return
    // Read before the capture, after which the target of every event is the element itself.
    this.#isBeside = event.target === this.#element
    this.#element.setPointerCapture(event.pointerId)
    this.#pointers.set(event.pointerId, this.pointOf(event))
    // Two fingers are not a swipe, even after one is lifted.
    this.#start = this.#pointers.size === 1 ? this.pointOf(event) : null
    this.#travelled = 0
  }

  continue(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId)
    if (before === undefined) return
    const now = this.pointOf(event)
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1]
    this.#pointers.set(event.pointerId, now)
    this.#travelled += distance(before, now)
    if (other === undefined) return this.#listener.move({ x: now.x - before.x, y: now.y - before.y })
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 }
    this.#listener.zoom(distance(now, other) / Math.max(1, distance(before, other)), middle)
    this.#listener.move({ x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 })
  }

  end(event: PointerEvent): void {
    if (!this.#pointers.has(event.pointerId)) return
    const start = this.#start
    const now = this.pointOf(event)
    this.forget(event)
    if (start === null) return
    const [across, along] = [now.x - start.x, Math.abs(now.y - start.y)]
    if (this.#travelled < PRESS_PX && this.#isBeside) this.#listener.dismiss()
    const isSwipe = event.pointerType !== 'mouse' && Math.abs(across) > Math.max(SWIPE_PX, along)
    const isOnward = across < 0 !== isRightToLeft()
    if (isSwipe) this.#listener.swipe(isOnward ? 1 : -1)
  }

  forget(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId)
    this.#start = null
  }

  wheel(event: WheelEvent): void {
    event.preventDefault()
    const rate = event.ctrlKey ? PINCH_RATE : WHEEL_RATE
    this.#listener.zoom(Math.exp(-event.deltaY * rate), this.pointOf(event))
  }

  pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top, width, height } = this.#element.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
