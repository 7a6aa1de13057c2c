import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError } from '#src/kernel/errors.ts'
import { openSocket, readUntil, startKernel, type TestKernel } from '#test/kernel.ts'
import { BodyReading } from './body-bytes.ts'

const MIB = 1024 * 1024

let kernel: TestKernel
before(async () => {
  kernel = await startKernel((app) => {
    app.post('/held', { config: { access: 'public' } }, async ({ raw }) => {
      const reading = new BodyReading(raw, () => {
        raw.pause()
        reading.refuse(new ApiError('invalid_multipart'))
        return undefined
      })
      await reading.run()
    })
  })
})
after(() => kernel.app.close())

test('HTTP-9: a body that is refused while it is held back leaves the connection usable', {
  timeout: 30_000,
}, async () => {
  const socket = openSocket(kernel.port)
  for (let round = 0; round < 3; round += 1) {
    socket.write(`POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`)
    socket.write(Buffer.alloc(MIB))
    assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 400 /)
  }
  socket.destroy()
})
