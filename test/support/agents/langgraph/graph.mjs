// Test support. The agent behind the LangGraph server of the tests: it plays what the metadata of its run asks for, and tells
// its parent process when it is at work.
import { MessagesAnnotation, StateGraph, interrupt } from '@langchain/langgraph';

/** Until somebody ends the run. */
function untilEnded(signal) {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('ended')), { once: true });
  });
}

async function play({ messages }, config) {
  const { play: asked = '{}', horarium_request_id: requestId } = config.metadata ?? {};
  const behaviour = JSON.parse(asked);
  process.send?.({
    atWork: requestId,
    metadata: config.metadata,
    context: config.configurable?.context ?? config.context,
  });
  const said = messages.filter((message) => message.getType() === 'human').map(({ content }) => content);
  const answer = (content, more) => ({ messages: [{ role: 'assistant', content, ...more }] });
  switch (behaviour.does) {
    case 'fail':
      throw new Error(behaviour.reason);
    case 'wait':
      return untilEnded(config.signal);
    case 'count':
      return answer('done', { usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } });
    case 'remember':
      return answer(said.join('+'));
    case 'ask':
      return answer(String(interrupt({ question: 'Which branch?' })));
    case 'blocks':
      return answer([
        { type: 'text', text: 'in ' },
        { type: 'text', text: 'blocks' },
      ]);
    default:
      return answer(said.at(-1));
  }
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('play', play)
  .addEdge('__start__', 'play')
  .addEdge('play', '__end__')
  .compile();
