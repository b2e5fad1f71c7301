// Test support. A real LangGraph server in a process of its own, so that it can be killed. Arguments: port, folder of its state.
import { fileURLToPath } from 'node:url';
import { startServer } from '@langchain/langgraph-api/server';

const [port, folder] = process.argv.slice(2);
const graphs = { agent: `${fileURLToPath(new URL('graph.mjs', import.meta.url))}:graph` };
const options = { port: Number(port), nWorkers: 12, host: '127.0.0.1', cwd: folder, graphs };
const { host, cleanup } = await startServer(options);
// `stop`: what it knows is written down first. It does so by itself 3 s after each change; a kill may come before.
process.on('message', () => void cleanup().then(() => process.exit()));
process.on('disconnect', () => process.exit());
process.send?.({ host });
