package org.fibnuma.ipnuma.endpoint;

/** Additional work of the endpoint, in its duty cycle and on its thread. */
public interface EndpointService
{
    /** Does nothing. */
    EndpointService NONE = nowNs -> 0;

    /** An error has interrupted a call, and all connections were ended; on the endpoint's thread. */
    default void onFault()
    {
    }

    /**
     * Works for one duty cycle; returns the amount of work done, 0 for none.
     *
     * @param nowNs time of the duty cycle.
     */
    int poll(long nowNs);
}
