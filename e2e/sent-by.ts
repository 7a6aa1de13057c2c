import type { Person } from './person.ts'

export interface Sent {
  /** What was asked of the list of members: the ranges, or nothing more. */
  readonly subscriptions: unknown[]
  /** Requests for pages of members. */
  readonly requests: string[]
}

/** What somebody's browser asks for about members, from here on. */
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
