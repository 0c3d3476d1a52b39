// Servers of the host that an agent tries to reach.

import { createServer, type Server } from 'node:net';

/** A server that greets on loopback, or on a path. */
export function listen(path?: string): Promise<Server> {
  const server = createServer((socket) => socket.end('reached\n'));
  return new Promise((done) =>
    server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path }, () => done(server)),
  );
}

/** A shell command that prints the greeting, or why there is none. */
export function connectTo(to: string): string {
  return `node -e 'require("net").connect(${to}).on("data",(d)=>console.log(String(d).trim())).on("error",(e)=>console.log(e.code))'`;
}
