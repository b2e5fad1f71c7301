// Platform, command line. Where the server is, and which token may go there.
import type { Config } from '../config/config';
import { DataFolder } from '../data-folder/data-folder';
import { addressOf, readServerAddress } from '../data-folder/server-address';
import type { ApiSettings } from './api-client';

type Settings = Pick<Config, 'serverUrl' | 'token' | 'host' | 'port' | 'publicUrl' | 'dataDir'>;

/** HORARIUM_URL, else the server on the data folder, else the one that the same settings would start on this machine. */
export async function apiSettings(settings: Settings): Promise<ApiSettings> {
  const { serverUrl, token, host, port, publicUrl, dataDir } = settings;
  const folder = DataFolder.at(dataDir);
  const url = serverUrl ?? (await readServerAddress(folder)) ?? addressOf(host, port);
  // This machine's operator token opens this machine's server. Sent elsewhere it would be given away.
  const own = serverUrl === undefined || isLoopback(url) || new URL(url).origin === publicUrl;
  return {
    url,
    ...(token === undefined ? {} : { token }),
    ...(own ? { tokenFile: folder.operatorToken } : {}),
  };
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}
