/** The package has types, which its `exports` hide. */
declare module 'discord-webhook-node' {
  export class MessageBuilder {
    setTitle(title: string): this
    addField(name: string, value: string): this
  }

  export class Webhook {
    constructor(url: string)
    setUsername(name: string): this
    send(message: string | MessageBuilder): Promise<void>
    sendFile(path: string): Promise<void>
  }
}
