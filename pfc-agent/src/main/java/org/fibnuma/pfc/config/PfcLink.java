package org.fibnuma.pfc.config;

import org.fibnuma.pfc.headroom.Headroom;
import org.fibnuma.pfc.policy.PauseMarks;

/**
 * Thresholds of every lossless priority of one ingress port.
 *
 * @param port          its name; empty for the ports that have no table of their own.
 * @param line          of the table in the file.
 * @param bitsPerSecond of the link.
 * @param xoffBytes     above it the sender is stopped.
 * @param xonBytes      down to it a queue is to drain.
 * @param headroomBytes kept free above xoff for what still arrives.
 * @param needed        headroom by our own terms, for this link.
 * @param mac           what the MAC of the port's device is asked for.
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
     * The marks of the port's policy; only where {@link PfcCheck} found no error.
     *
     * @return xoff and xon.
     */
    public PauseMarks marks()
    {
        return new PauseMarks(xoffBytes, xonBytes);
    }

    String label()
    {
        return port.isEmpty() ? "pfc" : "pfc.port \"" + port + "\"";
    }
}
