package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;

/**
 * The thread that runs the endpoint.
 *
 * @param core to which it is pinned, or {@link org.fibnuma.core.agent.ThreadPinning#ANY_CORE}.
 * @param idle name of its idle strategy in {@link IdleStrategies}.
 */
public record ThreadConfig(int core, String idle)
{
    /** Uses little CPU time while no frame arrives, and adds no delay while frames arrive continuously. */
    static final String DEFAULT_IDLE = IdleStrategies.BACKOFF;
}
