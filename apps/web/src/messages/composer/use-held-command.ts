import { useState } from 'react'
import { calledCommand } from '#src/commands/slash-query.ts'

/** A text that starts like a command and was not sent. */
interface HeldCommand {
  readonly content: string
  readonly name: string
  readonly silently: boolean
}

/**
 * Holds back a text that starts like a command but would be sent as a message: usually it is mistyped, or a command of
 * another service. If the user sends it again unchanged, it is not held back.
 */
export function useHeldCommand(content: string) {
  const [last, setLast] = useState<HeldCommand | null>(null)
  const held = last?.content === content ? last : null

  /** @returns true if the text is held back */
  function hold(silently: boolean): boolean {
    const name = calledCommand(content)
    const isHeld = held === null && name !== null
    setLast(isHeld ? { content, name, silently } : null)
    return isHeld
  }

  return { held, hold }
}
