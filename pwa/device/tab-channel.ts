/** Sends a message to every tab of this browser, this one included, and to the worker. */
export function tellTabs(channelName: string, message: unknown): void {
  // A channel does not receive its own messages. This new one is not the listener's, so this tab hears the message too.
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(message);
  channel.close();
}

/** Calls the listener with every message of `tellTabs`. Returns the function that unsubscribes. */
export function listenToTabs(channelName: string, listener: (message: unknown) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }) => listener(data);
  return () => channel.close();
}
