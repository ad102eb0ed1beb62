package org.fibnuma.ipnuma.client;

import org.agrona.concurrent.Agent;

/**
 * An endpoint of this process that the thread of its client runs. The requests in the client's ring are executed in the
 * next duty cycle, and those of clients in other processes within a few duty cycles. Writes can take effect without the
 * ring.
 */
public interface CompanionEndpoint extends Agent
{
    /** Called after the client has put a request into its ring, on the thread that runs the endpoint. */
    void onRequest();

    /**
     * Returns whether a duty cycle is running, and the caller is therefore a listener in it. The channels of the
     * endpoint are busy then, and a write has to use the ring.
     */
    boolean isBusy();

    /**
     * Recovers from an error that has interrupted a write. The connections with all peers end and begin again.
     *
     * @param fault error of the JVM for an access to a truncated file.
     */
    void onFault(InternalError fault);

    /**
     * Returns the writes of a client.
     *
     * @param slot offset of the client's slot in the endpoint's file for clients.
     * @return the writes, for the thread that runs the endpoint while it is not {@link #isBusy}.
     */
    CompanionWrites writes(int slot);
}
