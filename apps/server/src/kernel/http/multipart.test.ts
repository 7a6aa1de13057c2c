import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startKernel, type TestKernel } from '#test/kernel.ts'
import { readForm } from './multipart.ts'
import type { App } from './types.ts'

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes)
})
after(() => kernel.app.close())

function addRoutes(app: App): void {
  app.post('/forms', { config: { access: 'public' } }, async (request) => {
    await using form = await readForm(request)
    const files = await Promise.all(
      form.files.map(async ({ path, ...file }) => ({ ...file, text: await readFile(path, 'latin1') })),
    )
    return { fields: form.fields, files }
  })
}

test('FORM-1: texts and files arrive', async () => {
  const form = new FormData()
  form.set('name', 'Grüße 😀')
  form.set('a', new File(['hello'], 'Grüße "x".txt', { type: 'text/plain; charset=utf-8' }))
  form.set('b', new File([Buffer.alloc(3 * 1024 * 1024, 'x')], 'big.bin'))
  const response = await kernel.fetch('/forms', { method: 'POST', body: form })
  const answer: { files: unknown[] } = JSON.parse(await response.text())
  assert.equal(response.status, 200)
  assert.equal(answer.files.length, 2)
})
