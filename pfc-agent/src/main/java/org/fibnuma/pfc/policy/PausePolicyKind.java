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

    /**
     * Parses a name.
     *
     * @param key pooc, cdptc or drain.
     * @return the policy.
     * @throws IllegalArgumentException listing all names, for any other text.
     */
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
     * Creates the policy of one ingress port.
     *
     * @param settings of the port.
     * @param backlog  of the port; the caller updates it before it calls the policy.
     * @param output   sends to the port's peer.
     * @return the policy, for the thread that owns the backlog.
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
