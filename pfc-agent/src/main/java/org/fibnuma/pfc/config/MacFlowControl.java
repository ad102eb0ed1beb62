package org.fibnuma.pfc.config;

import org.fibnuma.pfc.EnumKey;

/** Flow control that the router requests from the MAC of a port's device, in addition to its own. */
public enum MacFlowControl
{
    /** No flow control by the device. */
    OFF,
    /** Priority flow control (IEEE 802.1Qbb) of the lossless priorities. */
    PFC,
    /** PAUSE (IEEE 802.3 Annex 31B), which stops all priorities. */
    PAUSE;

    /**
     * Parses a name.
     *
     * @param key off, pfc or pause.
     * @return the constant.
     * @throws IllegalArgumentException listing all names, for any other text.
     */
    public static MacFlowControl of(final String key)
    {
        return EnumKey.parse(MacFlowControl.class, "MAC flow control", key);
    }
}
