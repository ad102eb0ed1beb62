package org.fibnuma.pfc.config;

import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.policy.PauseMarks;

/**
 * Thresholds of every lossless priority of one ingress port.
 *
 * @param port          name of the port; empty for the ports that have no table of their own.
 * @param line          of the table in the file.
 * @param bitsPerSecond speed of the link.
 * @param xoffBytes     queue length above which the sender is stopped.
 * @param xonBytes      queue length at or below which the sender may continue.
 * @param headroomBytes kept free above xoff for what arrives after a pause is sent.
 * @param needed        headroom that this link needs, by our own model.
 * @param mac           flow control requested from the MAC of the port's device.
 */
public record PfcLink(
    String port,
    int line,
    long bitsPerSecond,
    long xoffBytes,
    long xonBytes,
    long headroomBytes,
    Headroom needed,
    MacFlowControl mac)
{
    /**
     * {@return xoff and xon} Throws IllegalArgumentException if they are out of order, which {@link PfcCheck} reports.
     */
    public PauseMarks marks()
    {
        return new PauseMarks(xoffBytes, xonBytes);
    }

    PfcLink withoutLine()
    {
        return new PfcLink(port, 0, bitsPerSecond, xoffBytes, xonBytes, headroomBytes, needed, mac);
    }

    String label()
    {
        return port.isEmpty() ? "pfc" : "pfc.port \"" + port + "\"";
    }
}
