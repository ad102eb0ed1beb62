package org.fibnuma.pfc.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What the MAC of a port's device is asked to do beside the router. */
public enum MacFlowControl
{
    /** Nothing. */
    OFF("off"),
    /** Priority flow control (IEEE 802.1Qbb) of the lossless priorities. */
    PFC("pfc"),
    /** PAUSE (IEEE 802.3 Annex 31B), which stops all priorities. */
    PAUSE("pause");

    private final String key;

    MacFlowControl(final String key)
    {
        this.key = key;
    }

    /**
     * The one of a name.
     *
     * @param key off, pfc or pause.
     * @return what is asked for.
     * @throws IllegalArgumentException naming all of them for any other text.
     */
    public static MacFlowControl of(final String key)
    {
        return Arrays.stream(values()).filter(one -> one.key.equals(key)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("\"" + key + "\" is no flow control of a MAC; one of " +
                Arrays.stream(values()).map(one -> one.key).collect(Collectors.joining(", "))));
    }
}
