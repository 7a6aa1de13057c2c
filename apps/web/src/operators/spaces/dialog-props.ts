import type { OperatorSpace } from '@foyer/protocol/operators'
import type { RefObject } from 'react'

/** An action on a space. */
export type SpaceAction = 'freeze' | 'unfreeze' | 'hold' | 'release' | 'delete' | 'restore'

export interface DialogProps {
  found: OperatorSpace
  /** Called with the changed space, or null for a deleted one, and a text about it. */
  onChange: (changed: OperatorSpace | null, message: string) => void
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}
