package org.fibnuma.pfc.watchdog;

import org.fibnuma.pfc.EnumKey;

/** What happens to the frames of a priority during a storm. */
public enum StormAction
{
    /** Waiting and arriving frames are dropped. */
    DROP,
    /** Frames are sent; the peer's pauses are ignored. */
    FORWARD,
    /** Frames keep waiting; the storm is only logged. */
    ALERT;

    /** {@return the action of a name} Throws IllegalArgumentException with all names if it is unknown. */
    public static StormAction of(final String key)
    {
        return EnumKey.parse(StormAction.class, "action", key);
    }

    /** {@return the name in configurations, in lower case} */
    public String key()
    {
        return EnumKey.of(this);
    }
}
