import { GATEWAY_VERSION, GatewayInfo } from '@foyer/protocol/gateway'
import type { FastifyRequest } from 'fastify'
import type { App } from '#src/kernel/http/types.ts'

/** Adds the route that returns the gateway's URL: at the public URL, or else at the host of the request. */
export function gatewayRoutes(app: App, { publicUrl }: { publicUrl: string | undefined }): void {
  const schema = { tags: ['Gateway'], summary: 'Get Gateway', response: { 200: GatewayInfo } }
  app.get('/api/gateway', { schema }, async (request) => {
    const base = publicUrl ?? requestedAt(request)
    return { url: `${base.replace(/^http/, 'ws')}/gateway`, version: GATEWAY_VERSION }
  })
}

function requestedAt({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}
