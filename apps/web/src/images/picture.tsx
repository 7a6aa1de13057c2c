import { useEffect, useState } from 'react'
import { useAppState } from '#src/session/context.ts'
import './picture.css'
import { pictureUrl } from './picture-url.ts'

/**
 * Covers its container with a picture. The content below shows while it loads and if it fails. Pass the id as `key`
 * too, so that another picture starts loading from scratch.
 */
export function Picture({ id }: { id: string }) {
  const [state, setState] = useState<'loading' | 'here' | 'failed'>('loading')
  const isConnected = useAppState(({ connection }) => connection === 'ready')

  // Retries when the connection is back.
  useEffect(() => {
    if (isConnected) setState((before) => (before === 'failed' ? 'loading' : before))
  }, [isConnected])

  if (state === 'failed') return null
  return (
    <img
      className="picture"
      src={pictureUrl(id)}
      alt=""
      draggable={false}
      decoding="async"
      data-here={state === 'here' || undefined}
      onLoad={() => setState('here')}
      onError={() => setState('failed')}
    />
  )
}
