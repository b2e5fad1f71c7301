// Platform, command line. Where the server is, and which token may go there.
import type { Config } from '../config/config';
import { DataFolder } from '../data-folder/data-folder';
import type { ApiSettings } from './api-client';

type Settings = Pick<Config, 'serverUrl' | 'token' | 'host' | 'port' | 'publicUrl' | 'dataDir'>;

/** HORARIUM_URL, else the server that the same settings would start on this machine. */
export function apiSettings({ serverUrl, token, host, port, publicUrl, dataDir }: Settings): ApiSettings {
  const url = serverUrl ?? `http://${addressOf(host)}:${port}`;
  // This machine's operator token opens this machine's server. Sent elsewhere it would be given away.
  const own = serverUrl === undefined || isLoopback(url) || new URL(url).origin === publicUrl;
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(own ? { tokenFile: DataFolder.at(dataDir).operatorToken } : {}),
  };
}

/** Where a server that listens on `host` is found from this machine. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}
