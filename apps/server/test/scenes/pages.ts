import type { RequestListener } from 'node:http'

/** Returns an HTML page with this head. */
export function pageOf(head: string, body = ''): string {
  return `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
}

/** Returns a listener that passes a request to the listener of its path, and answers 404 for all other paths. */
export function answering(paths: Readonly<Record<string, RequestListener>>): RequestListener {
  return (request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname
    const listener = Object.hasOwn(paths, path) ? paths[path] : undefined
    if (listener === undefined)
      response.writeHead(404, { 'content-type': 'text/html' }).end(pageOf('<title>No</title>'))
    else listener(request, response)
  }
}

export function serving(body: string | Buffer, type = 'text/html; charset=utf-8'): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(body)
}
