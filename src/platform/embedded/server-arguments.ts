// Platform, embedded database. How PostgreSQL is set up for one house on one machine. Given as arguments at each
// start: nothing of it is stored in the cluster, so a new version of the house changes it for old clusters too.

export interface ServerSettings {
  readonly cluster: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly durable: boolean;
}

export function serverArguments({ cluster, port, maxConnections, durable }: ServerSettings): string[] {
  const settings: Record<string, string | number> = {
    // Reachable from this machine only, and by TCP only: a socket's path may be too long, or forbidden to us.
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port,
    max_connections: maxConnections,
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    // Short statements only: compiling them costs more than it saves.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The supervisor reads the log.
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    // Nothing subscribes; one process fewer.
    max_logical_replication_workers: 0,
    ...(durable ? {} : THROW_AWAY),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  // In the cluster's folder, and gone with it: a killed server would leave a piece of the machine's memory behind.
  dynamic_shared_memory_type: 'mmap',
};
