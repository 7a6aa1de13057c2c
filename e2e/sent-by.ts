import type { Person } from './person.ts'

export interface Sent {
  /** Member ranges of each subscription; null for a subscription without members. */
  readonly subscriptions: unknown[]
  /** Addresses of requests for pages of members. */
  readonly requests: string[]
}

/** Records what a person's browser requests about members from now on. */
export function sentBy({ page }: Person): Sent {
  const sent: Sent = { subscriptions: [], requests: [] }
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { op, d } = JSON.parse(String(payload))
      if (op === 14) sent.subscriptions.push(d.member_ranges ?? null)
    }),
  )
  page.on('request', (request) => {
    if (/\/members(\?|$)/.test(request.url())) sent.requests.push(request.url())
  })
  return sent
}
