import type { CommandChoice } from '@foyer/protocol/commands'
import { useEffect, useState } from 'react'

/** Requests values for an option from the bot. */
export type Suggest = (name: string, text: string, signal: AbortSignal) => Promise<CommandChoice[]>

/** Delay after the last keystroke before the bot is asked. */
const PAUSE_MS = 250

const NONE: readonly CommandChoice[] = []

interface Suggestions {
  readonly choices: readonly CommandChoice[]
  readonly isLoading: boolean
}

/** Returns the bot's suggestions for the current text. Suggestions for earlier text are ignored. */
export function useSuggestions(option: string, text: string | null, suggest: Suggest): Suggestions {
  const [answered, setAnswered] = useState<{ text: string; choices: readonly CommandChoice[] } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text changes
  useEffect(() => {
    if (text === null) return
    const asking = new AbortController()
    const show = (choices: readonly CommandChoice[]) => {
      if (!asking.signal.aborted) setAnswered({ text, choices })
    }
    const timer = setTimeout(() => {
      suggest(option, text, asking.signal).then(show, () => show(NONE))
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [option, text])

  return { choices: answered?.choices ?? NONE, isLoading: text !== null && answered?.text !== text }
}
