package org.fibnuma.pfc.watchdog;

/** What a look of the watchdog found out. */
public enum StormChange
{
    /** Nothing new. */
    NONE,
    /** A storm has begun. */
    DETECTED,
    /** The storm is over. */
    RESTORED
}
