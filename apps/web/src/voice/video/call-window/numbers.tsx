import type { CallNumbers } from '@foyer/sdk/voice/call-numbers'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useVideoControl } from '../use-video.ts'
import { receivedFacts, routeFacts, sentFacts } from './number-words.ts'
import './numbers.css'

const MEASURE_EVERY_MS = 1000

/** The browser's measurements: of the path to the server, and of each received or sent picture. */
export function Numbers({ nameOf }: { nameOf: (userId: string) => string }) {
  const numbers = useNumbers()
  if (numbers === undefined) return <p>{t('Measuring connection…')}</p>
  const { received, sent } = numbers
  return (
    <>
      <Part title={t('Connection to the server')} facts={routeFacts(numbers)} />
      {received.map((one) => (
        <Part
          key={`${one.source} ${one.user_id}`}
          title={
            one.source === 'camera'
              ? nameOf(one.user_id)
              : t('{name}’s screen', { name: nameOf(one.user_id) })
          }
          facts={receivedFacts(one)}
        />
      ))}
      {sent.map((one) => (
        <Part
          key={`${one.source} ${one.rid}`}
          title={one.source === 'camera' ? t('Your camera') : t('Your screen')}
          facts={sentFacts(one)}
        />
      ))}
    </>
  )
}

function useNumbers(): CallNumbers | undefined {
  const video = useVideoControl()
  const [numbers, setNumbers] = useState<CallNumbers>()
  useEffect(() => {
    let isOver = false
    const measure = async () => {
      const next = await video.numbers()
      if (!isOver) setNumbers(next)
    }
    void measure()
    const timer = setInterval(() => void measure(), MEASURE_EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [video])
  return numbers
}

function Part({ title, facts }: { title: string; facts: readonly string[] }) {
  return (
    <section>
      <h2 className="numbers-title" dir="auto">
        {title}
      </h2>
      <ul>
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  )
}
