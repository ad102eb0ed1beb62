package org.fibnuma.pfc.config;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.WatchdogSettings;

import java.util.Map;

/**
 * Lossless priorities of a router.
 *
 * @param line               of the table in the file.
 * @param losslessPriorities bit n where priority n is lossless; 0: none is, and nothing else counts.
 * @param classifier         of frames.
 * @param policy             that chooses the pauses we send.
 * @param law                of C-DPTC.
 * @param bufferBytes        of memory for all lossless queues, 0 where there is no limit but the frames themselves.
 * @param portCount          of ports that share it.
 * @param link               thresholds of ports without a table of their own.
 * @param links              thresholds of the other ports, by name.
 * @param ecn                marking, null for none.
 * @param watchdog           of every port, null for none.
 */
public record PfcConfig(
    int line,
    int losslessPriorities,
    PriorityClassifier classifier,
    PausePolicyKind policy,
    PauseTimeLaw law,
    long bufferBytes,
    int portCount,
    PfcLink link,
    Map<String, PfcLink> links,
    EcnSettings ecn,
    WatchdogSettings watchdog)
{
    /**
     * The thresholds of a port.
     *
     * @param port its name.
     * @return its own, or those of all.
     */
    public PfcLink linkOf(final String port)
    {
        return links.getOrDefault(port, link);
    }

    /**
     * Whether any priority is lossless.
     *
     * @return false where a router needs nothing of all this.
     */
    public boolean isLossless()
    {
        return losslessPriorities != 0;
    }
}
