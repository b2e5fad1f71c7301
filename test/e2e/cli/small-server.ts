// Test support for this folder: a server that answers as it is told, and remembers what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SmallServer {
  readonly url: string;
  /** Method, address and token of every request so far. */
  readonly asked: { method: string; url: string; token: string | undefined; body: string }[];
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function smallServer(): Promise<SmallServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      small.asked.push({ method, url, token: headers.authorization, body });
      small.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const small: SmallServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: (_, response) => json(response, 200, []),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return small;
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
