package org.fibnuma.ipnuma.endpoint;

/** Something that the endpoint does beside its port and peers, in its duty cycle and on its thread. */
public interface EndpointService
{
    /** Does nothing. */
    EndpointService NONE = nowNs -> 0;

    /**
     * One turn.
     *
     * @param nowNs the time of the duty cycle.
     * @return how much was done, 0 for nothing.
     */
    int poll(long nowNs);
}
