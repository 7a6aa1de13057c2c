import type { AskedMenu } from '#src/ui/popups/menu-anchor.ts'

/** The user whose card is open, or was open last. */
export interface Shown {
  readonly userId: string
  readonly anchor: HTMLElement
  readonly open: boolean
}

/** The user whose menu is open, or was open last. */
export interface OpenMenu {
  readonly userId: string
  readonly asked: AskedMenu
  readonly open: boolean
}
