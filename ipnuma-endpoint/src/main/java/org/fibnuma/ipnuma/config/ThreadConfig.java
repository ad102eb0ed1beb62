package org.fibnuma.ipnuma.config;

import org.fibnuma.core.agent.IdleStrategies;

/**
 * The one thread that everything runs on.
 *
 * @param core that it is pinned to, or {@link org.fibnuma.core.agent.ThreadPinning#ANY_CORE}.
 * @param idle how it waits, a name of {@link IdleStrategies}.
 */
public record ThreadConfig(int core, String idle)
{
    /** Costs next to nothing while no frame comes, and nothing at all while they come without a gap. */
    static final String DEFAULT_IDLE = IdleStrategies.BACKOFF;
}
