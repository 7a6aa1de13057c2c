import { isRightToLeft } from '#src/ui/direction.ts'
import type { Point } from './zoom.ts'

/** What fingers, mouse and wheel mean; points count from the middle of the element. */
export interface GestureListener {
  zoom(factor: number, point: Point): void
  move(by: Point): void
  /** A single finger went across. The direction in which to go on. */
  swipe(direction: 1 | -1): void
  /** Pressed twice. */
  toggle(point: Point): void
  /** Pressed beside the picture. */
  dismiss(): void
}

const WHEEL_RATE = 0.0022
/** Touchpads tell pinching as a wheel with Ctrl, in small steps. */
const PINCH_RATE = 0.012
const SWIPE_PX = 56
/** A press that trembles is still one. */
const PRESS_PX = 6

/** Hears gestures on an element. Returns how to stop. */
export function listenToGestures(element: HTMLElement, listener: GestureListener): () => void {
  const gesture = new Gesture(element, listener)
  const listening = new AbortController()
  const { signal } = listening
  element.addEventListener('pointerdown', (event) => gesture.begin(event), { signal })
  element.addEventListener('pointermove', (event) => gesture.continue(event), { signal })
  element.addEventListener('pointerup', (event) => gesture.end(event), { signal })
  element.addEventListener('pointercancel', (event) => gesture.forget(event), { signal })
  element.addEventListener('dblclick', (event) => listener.toggle(gesture.place(event)), { signal })
  // Not passive, else the page scrolls or zooms with it.
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
    // From here on every event names the element itself.
    this.#isBeside = event.target === this.#element
    this.#element.setPointerCapture(event.pointerId)
    this.#pointers.set(event.pointerId, this.place(event))
    // Two fingers are no swipe, nor is what is left of them.
    this.#start = this.#pointers.size === 1 ? this.place(event) : null
    this.#travelled = 0
  }

  continue(event: PointerEvent): void {
    const before = this.#pointers.get(event.pointerId)
    if (before === undefined) return
    const now = this.place(event)
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
    const now = this.place(event)
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
    this.#listener.zoom(Math.exp(-event.deltaY * rate), this.place(event))
  }

  place({ clientX, clientY }: MouseEvent): Point {
    const { left, top, width, height } = this.#element.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
