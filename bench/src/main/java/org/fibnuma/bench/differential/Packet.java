package org.fibnuma.bench.differential;

import java.util.HexFormat;

/**
 * A frame that is sent to the machine.
 *
 * @param link  index of the link whose far end sends it.
 * @param frame bytes from the destination MAC address on, without FCS.
 */
record Packet(int link, byte[] frame)
{
    /** Returns the bytes in hexadecimal digits. */
    String hex()
    {
        return HexFormat.of().formatHex(frame);
    }
}
