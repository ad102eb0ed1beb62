package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.Agent;

/**
 * An endpoint of this process that the thread of its client runs. The requests in the client's ring are executed in the
 * next duty cycle, and those of clients in other processes within a few. Writes can take effect without the ring.
 */
public interface CompanionEndpoint extends Agent
{
    /** The client has put a request into its ring; on the thread that runs the endpoint. */
    void onRequest();

    /**
     * Returns the writes of a client.
     *
     * @param slot offset of the client's slot in the endpoint's file for clients.
     * @return for the thread that runs the endpoint.
     */
    CompanionWrites writes(int slot);
}
