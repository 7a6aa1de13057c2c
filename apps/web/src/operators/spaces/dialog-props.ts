import type { OperatorSpace } from '@foyer/protocol/operators'
import type { RefObject } from 'react'

/** An action on a space. */
export type SpaceAction = 'freeze' | 'unfreeze' | 'hold' | 'release' | 'delete' | 'restore'

export interface DialogProps {
  found: OperatorSpace
  /** Called with the changed space, and a text about it. */
  onChange: (changed: OperatorSpace, message: string) => void
  onClose: () => void
  /** Receives the focus when the space leaves the list. */
  focusAfter: RefObject<HTMLElement | null>
}
