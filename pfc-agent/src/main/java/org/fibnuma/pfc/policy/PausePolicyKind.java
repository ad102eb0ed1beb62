package org.fibnuma.pfc.policy;

import org.fibnuma.pfc.EnumKey;
import org.fibnuma.pfc.priority.PriorityBacklog;

/** Pause policies by the names that configuration and commands use. */
public enum PausePolicyKind
{
    /** {@link OnOffPolicy}. */
    POOC,
    /** {@link CounterPolicy}. */
    CDPTC,
    /** {@link DrainTimePolicy}. */
    DRAIN;

    /** {@return the policy of a name} Throws IllegalArgumentException with all names if it is unknown. */
    public static PausePolicyKind of(final String key)
    {
        return EnumKey.parse(PausePolicyKind.class, "policy", key);
    }

    /** {@return the name in configurations and commands, in lower case} */
    public String key()
    {
        return EnumKey.of(this);
    }

    /**
     * Creates the policy of one ingress port, for the thread that owns its backlog.
     *
     * @param backlog of the port; the caller updates it before it calls the policy.
     * @param output  sends to the port's peer.
     */
    public PausePolicy create(final PauseSettings settings, final PriorityBacklog backlog, final PauseOutput output)
    {
        switch (this)
        {
            case POOC:
                return new OnOffPolicy(settings, backlog, output);
            case CDPTC:
                return new CounterPolicy(settings, backlog, output);
            default:
                return new DrainTimePolicy(settings, backlog, output);
        }
    }
}
