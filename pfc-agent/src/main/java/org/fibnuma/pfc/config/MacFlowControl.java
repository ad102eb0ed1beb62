package org.fibnuma.pfc.config;

/** Flow control that the router requests from the MAC of a port's device, in addition to its own. */
public enum MacFlowControl
{
    /** No flow control by the device. */
    OFF,
    /** Priority flow control (IEEE 802.1Qbb) of the lossless priorities. */
    PFC,
    /** PAUSE (IEEE 802.3 Annex 31B), which stops all priorities. */
    PAUSE
}
