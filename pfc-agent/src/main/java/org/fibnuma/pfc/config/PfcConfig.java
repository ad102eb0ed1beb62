package org.fibnuma.pfc.config;

import org.fibnuma.pfc.policy.PausePolicyKind;
import org.fibnuma.pfc.policy.PauseTimeLaw;
import org.fibnuma.pfc.priority.PriorityClassifier;
import org.fibnuma.pfc.watchdog.WatchdogSettings;

import java.util.HashMap;
import java.util.Map;

/**
 * The table {@code [pfc]}: lossless priorities of a router.
 *
 * @param line               of the table in the file.
 * @param losslessPriorities bit n is set if priority n is lossless; if 0, the other fields are unused.
 * @param classifier         maps frames to priorities.
 * @param policy             chooses the pauses that the router sends.
 * @param law                pause time of C-DPTC.
 * @param bufferBytes        memory for all lossless queues; 0: limited by the frames of the pool only.
 * @param portCount          ports that share the memory.
 * @param link               thresholds of ports without a table of their own.
 * @param links              thresholds of the other ports, by name.
 * @param ecn                marking, or null.
 * @param watchdog           of every port, or null.
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
    /** {@return the thresholds of a port: its own, or those of {@code [pfc]}} */
    public PfcLink linkOf(final String port)
    {
        return links.getOrDefault(port, link);
    }

    /** {@return a copy with all lines 0, so that those of two files are equal if their settings are} */
    public PfcConfig withoutLines()
    {
        final Map<String, PfcLink> others = new HashMap<>();
        links.forEach((port, other) -> others.put(port, other.withoutLine()));
        return new PfcConfig(
            0, losslessPriorities, classifier, policy, law, bufferBytes, portCount, link.withoutLine(), others,
            ecn == null ? null : new EcnSettings(0, ecn.minBytes(), ecn.maxBytes(), ecn.maxProbability()), watchdog);
    }

    /** {@return whether any priority is lossless} */
    public boolean isLossless()
    {
        return losslessPriorities != 0;
    }
}
