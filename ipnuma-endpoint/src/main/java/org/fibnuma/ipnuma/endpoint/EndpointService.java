package org.fibnuma.ipnuma.endpoint;

/** Additional work of the endpoint, in its duty cycle and on its thread. */
public interface EndpointService
{
    /** Does nothing. */
    EndpointService NONE = nowNs -> 0;

    /** Called on the endpoint's thread after an error has interrupted a call. All connections have ended. */
    default void onFault()
    {
    }

    /** Works for the duty cycle at this time. Returns the amount of work done, or 0. */
    int poll(long nowNs);
}
