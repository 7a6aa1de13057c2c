import type { CommandChoice } from '@foyer/protocol/commands'
import { useEffect, useState } from 'react'

/** Asks the bot for values of an option, by what is typed of it. */
export type Suggest = (name: string, text: string, signal: AbortSignal) => Promise<CommandChoice[]>

/** A bot is not asked for every letter. */
const PAUSE_MS = 250

const NONE: readonly CommandChoice[] = []

interface Suggestions {
  readonly choices: readonly CommandChoice[]
  readonly isLoading: boolean
}

/** What a bot suggests for what is typed, as one types: answers to what was typed before are of no interest any more. */
export function useSuggestions(option: string, text: string | null, suggest: Suggest): Suggestions {
  const [answered, setAnswered] = useState<{ text: string; choices: readonly CommandChoice[] } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what is typed that asks
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
